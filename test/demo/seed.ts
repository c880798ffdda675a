import type { Slack } from '../emulators/slack/slack.ts';
import { VIEWERS } from './page-target.ts';
import { directoryOf, typed } from './typed.ts';

interface Line {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly replies?: readonly (readonly [user: string, text: string])[];
  readonly extras?: Record<string, unknown>;
  /** How long ago it was written. */
  readonly agoMs?: number;
}

const LINES: readonly Line[] = [
  {
    channel: 'support',
    user: 'ben',
    text: 'lb-d of the cluster restarts every night. Its snapshot: 1017.',
    replies: [
      [
        'ana',
        'This thread is two hours old. Mention Snapshot here with 1017 and press “Tell me too”: the channel hears of the end.',
      ],
    ],
    agoMs: 2 * 3_600_000,
  },
  {
    channel: 'support',
    user: 'ben',
    text: 'Escalation: edge-7 drops connections since the maintenance window on Sunday.',
    replies: [
      ['ana', 'Which version is it on? Do you have a snapshot of it?'],
      ['ben', 'Uploaded one: https://service.example.com/snapshots/26808463'],
    ],
  },
  {
    channel: 'random',
    user: 'ben',
    text: 'The bot isn’t a member here. Type the command and see who gets the answer: /snapshot 1001',
  },
  {
    channel: 'secret',
    user: 'ana',
    text: 'A private channel without the bot. The pair: snapshots 1010 and 1011.',
  },
  {
    channel: 'war-room',
    user: 'ana',
    text: 'A private channel with the bot in it. The customer sent this one.',
    extras: {
      files: [
        { id: 'F0ONE', name: 'snapshot-26808463.tgz', title: 'snapshot-26808463.tgz', filetype: 'gzip' },
      ],
    },
  },
  {
    channel: 'partners',
    user: 'guest',
    text: 'Hello from the other company. Could somebody look at snapshot 1002 for us?',
  },
  { channel: 'ana-and-ben', user: 'ben', text: 'Before I open a case: what does snapshot 1004 say?' },
];

/** Posts the messages that people see when the demo begins. */
export async function seedConversations(slack: Slack): Promise<void> {
  // Reading the messages opens the bot's DM with each person.
  for (const viewer of VIEWERS) slack.messages(`@${viewer}`, viewer);
  const directory = directoryOf(slack);
  for (const { channel, user, text, replies = [], extras = {}, agoMs = 0 } of LINES) {
    const at = Date.now() - agoMs;
    const { message } = await slack.say({ channel, user, extras, at, ...typed(text, directory) });
    for (const [replier, reply] of replies) {
      await slack.say({ channel, user: replier, threadTs: message.ts, at, ...typed(reply, directory) });
    }
  }
}
