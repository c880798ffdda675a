import type { types } from '@slack/bolt';
import type { LoginHealth } from '../../service/authentication.ts';
import { actions, button, header, smallPrint } from '../block-kit/blocks.ts';
import { slackClock, slackTime } from '../block-kit/slack-time.ts';
import type { RecentLookup } from '../delivery/recent-lookups.ts';
import { usageMessage } from '../messages/usage-message.ts';
import type { Operator } from '../messages/words/operator.ts';

/** Opens the modal that asks for a snapshot. */
export const LOOK_UP_ACTION = 'open-look-up';

/** A lookup of the reader, with Slack's own address of its message where there is one. */
export type LinkedLookup = RecentLookup & { readonly permalink?: string | undefined };

type Home = {
  readonly recentLookups: readonly LinkedLookup[];
  /** Undefined when the bot can't read its own storage. */
  readonly login: LoginHealth | undefined;
  readonly operator: Operator;
  readonly command: string;
};

/** The Home tab: how to ask, what the reader asked for, and whether the service lets the bot in. */
export function homeView({ recentLookups, login, operator, command }: Home): types.HomeView {
  return {
    type: 'home',
    blocks: [
      header('Look up a snapshot'),
      ...usageMessage(command).blocks,
      section(
        'It works in channels and in direct messages. In a thread, mention the bot with the id, or use ' +
          '*Diagnose snapshot* in the menu of a message. Here, just send the id.',
      ),
      actions([button('Look up…', LOOK_UP_ACTION, 'home', 'Look up a snapshot')]),
      header('Your lookups'),
      ...(recentLookups.length === 0 ? [section('None in the last days.')] : recentLookups.map(recentLine)),
      header("The service's login"),
      section(loginSentence(login, operator)),
      smallPrint('As of when you opened this tab.'),
    ],
  };
}

function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

const STATES: Record<RecentLookup['state'], string> = {
  waiting: '⏳ in progress',
  ready: '✓ ready',
  'timed-out': '⌛ not ready in time',
  withheld: 'not shown: no access any more',
  cancelled: 'stopped',
  failed: '⚠ could not be read',
  broken: '⚠ could not be read',
};

function recentLine({
  question,
  before,
  state,
  findings,
  askedAt,
  permalink,
}: LinkedLookup): types.SectionBlock {
  const { snapshotId, set } = question;
  const name = before === undefined ? snapshotId : `${before.snapshotId} → ${snapshotId}`;
  const linked = permalink === undefined ? name : `<${permalink}|${name}>`;
  const side = set === 'miss' ? ' passed checks' : '';
  const found = findings === '' ? '' : `, ${findings}`;
  return section(`*${linked}*${side} · ${STATES[state]}${found} · asked ${slackTime(askedAt)}`);
}

function loginSentence(login: LoginHealth | undefined, operator: Operator): string {
  if (login === undefined) return '⚠ The bot can’t read its own storage right now.';
  switch (login.state) {
    case 'working':
      return `✓ The login works. The session is good until about ${slackTime(login.until)}.`;
    case 'refused':
      return (
        `⚠ The login is refused. I’ll retry after ${slackClock(login.until)}. Ask ${operator.contact} to check ` +
        `the bot’s account at <${operator.loginUrl}>.`
      );
    case 'not-needed':
      return 'Not logged in. The next lookup logs in.';
    default:
      return login satisfies never;
  }
}
