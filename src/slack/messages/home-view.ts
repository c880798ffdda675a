import type { types } from '@slack/bolt';
import type { LoginHealth } from '../../service/authentication.ts';
import { actions, button, header, smallPrint } from '../blocks.ts';
import type { Recent } from '../recents.ts';
import { slackClock, slackTime } from './slack-time.ts';
import { usageMessage } from './usage-message.ts';

/** Opens the modal that asks for a snapshot. */
export const LOOK_UP_ACTION = 'open-look-up';

/** A lookup of the reader, with Slack's own address of its message where there is one. */
export type LinkedRecent = Recent & { readonly permalink?: string | undefined };

export type Home = {
  readonly recents: readonly LinkedRecent[];
  /** Undefined when the bot can't read its own storage. */
  readonly login: LoginHealth | undefined;
  readonly loginUrl: string;
  readonly command: string;
};

/** The Home tab: how to ask, what the reader asked for, and whether the service lets the bot in. */
export function homeView({ recents, login, loginUrl, command }: Home): types.HomeView {
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
      ...(recents.length === 0 ? [section('None in the last days.')] : recents.map(recentLine)),
      header("The service's login"),
      section(loginSentence(login, loginUrl)),
      smallPrint('As of the moment when you opened this tab.'),
    ],
  };
}

function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

const STATES: Record<Recent['state'], string> = {
  waiting: '⏳ still waited for',
  ready: '✓ ready',
  'timed-out': '⌛ not ready in time',
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
}: LinkedRecent): types.SectionBlock {
  const { snapshotId, set } = question;
  const name = before === undefined ? snapshotId : `${before.snapshotId} → ${snapshotId}`;
  const linked = permalink === undefined ? name : `<${permalink}|${name}>`;
  const side = set === 'miss' ? ' passed checks' : '';
  const found = findings === '' ? '' : `, ${findings}`;
  return section(`*${linked}*${side} · ${STATES[state]}${found} · asked ${slackTime(askedAt)}`);
}

function loginSentence(login: LoginHealth | undefined, loginUrl: string): string {
  if (login === undefined) return '⚠ The bot cannot read its own storage right now.';
  switch (login.state) {
    case 'working':
      return `✓ It works. The session is good until about ${slackTime(login.until)}.`;
    case 'refused':
      return (
        `⚠ It is refused. The bot tries again after ${slackClock(login.until)}. Whoever runs this bot should check ` +
        `its account, by hand at <${loginUrl}>.`
      );
    case 'not-needed':
      return 'The bot is not logged in now. It logs in with the next lookup.';
    default:
      return login satisfies never;
  }
}
