import type { Asked } from '../../core/lookup.ts';
import { type Message, notice, smallPrint } from '../blocks/blocks.ts';
import { subjectOf } from './words.ts';

/** Why the bot refuses a person. `outsider`: from another company, or from another workspace of the organisation. */
const REFUSALS = {
  outsider:
    'Snapshot answers only members of the workspace that it is installed in. Ask a member to look the snapshot up.',
  guest: 'Snapshot doesn’t answer guests of this workspace. Ask a full member to look the snapshot up.',
  shared:
    'This channel is shared with another company, so Snapshot shows no results here. Ask for the snapshot with ' +
    '/snapshot: the answer comes to you as a direct message.',
  channel: 'Snapshot can’t be used in this conversation. Ask {contact} to allow it here.',
  person: 'Snapshot answers only members of certain user groups. Ask {contact} to add you to one.',
  /** Slack did not answer the bot's question about the person or the channel. */
  unsure:
    'Snapshot can’t check right now whether you may use it. Try again in a minute. ' +
    'If it keeps happening, tell {contact}.',
};
export type Refusal = keyof typeof REFUSALS;

/** All notices for one person. The placeholder `{reference}` identifies a bug in the log. */
const NOTICES = {
  ...REFUSALS,
  outdated: 'This message is from an earlier version: look the snapshot up again.',
  'slack-failed': 'Slack didn’t accept Snapshot’s answer. Try again. If it keeps happening, tell {contact}.',
  bug:
    'A bug in Snapshot stopped this. Try again. If it keeps happening, ask {contact} to look for the reference ' +
    '{reference} in the log.',
  'too-many':
    'That’s more than Snapshot answers in a minute. Wait a moment, then try again; your earlier requests are still answered.',
  directly:
    'This channel is shared, or may be shared, with another company, so I’ll answer you in a direct message.',
};

/** A notice that tells one person why a request was refused or failed, and whom to ask. */
export function noticeOf(which: keyof typeof NOTICES, { contact = '', reference = '' } = {}): Message {
  return notice(NOTICES[which].replace('{contact}', () => contact).replace('{reference}', reference));
}

/** The reply to a click if the result is no longer cached and the service is processing the snapshot. */
export function processingNotice(asked: Asked): string {
  return `The service is processing ${subjectOf(asked)}. Try again in a minute.`;
}

/** The reply to a click on a lookup that has ended, for example if its message still says that it waits. */
export const HAS_ENDED =
  'This lookup has ended: see that message. If it shows no answer, ask for the snapshot again.';

/** For a person who repeats a request in progress. `permalink`: Slack's URL of the message that waits. */
export function alreadyWaitingMessage(asked: Asked, permalink: string | undefined): Message {
  const where = permalink === undefined ? 'The message above' : `<${permalink}|That message>`;
  const said = `The lookup of ${subjectOf(asked)} is already in progress. ${where} will show the result.`;
  return { text: said, blocks: [smallPrint(said)] };
}

/** The first ephemeral message of a lookup. It says why only one person sees it, and how to get public answers. */
export function withInvitation(message: Message, channel: string, botUser: string | undefined): Message {
  const bot = botUser === undefined ? 'this app' : `<@${botUser}>`;
  const why = channel.startsWith('D')
    ? 'apps can’t join direct messages between people.'
    : `${bot} is not in this conversation. To get answers here for everyone, type /invite ${bot}.`;
  return { ...message, blocks: [...message.blocks, smallPrint(`Only you can see this: ${why}`)] };
}
