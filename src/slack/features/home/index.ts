import type { types, webApi } from '@slack/bolt';
import { isSnapshotId } from '../../../core/diagnostics.ts';
import { isFault } from '../../../core/faults.ts';
import type { LoginHealth } from '../../../service/session.ts';
import { faultSentence, type Operator } from '../../answer/fault-sentences.ts';
import { LOOK_UP_ACTION, usageMessage } from '../../answer/usage-message.ts';
import { actions, button, header, slackClock, slackTime, smallPrint } from '../../blocks/blocks.ts';
import { inert } from '../../blocks/limits.ts';
import { isAllowedChannel } from '../../front/access.ts';
import type { FeatureParts, Followed, ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { listRecent, type RecentLookup, recentLookups } from './recent-lookups.ts';

/** Ends a watch of the reader. */
const STOP_WATCHING_ACTION = 'home-stop-watching';

/** A lookup of the reader, with the permalink of its message if there is one. */
export type LinkedLookup = RecentLookup & { readonly permalink?: string | undefined };

/** What the reader watches. */
type Watches = readonly Followed[];

type Home = {
  /** Like `login`, undefined when the bot can't read its own storage. */
  readonly recentLookups: readonly LinkedLookup[] | undefined;
  readonly login: LoginHealth | undefined;
  readonly watches: Watches;
  readonly operator: Operator;
};

/** The Home tab: what the reader asked for, then how to ask, and whether the service lets the bot in. */
export function homeView({ recentLookups, login, watches, operator }: Home): types.HomeView {
  const isUnreadable = recentLookups === undefined || login === undefined;
  const isInTrouble = isUnreadable || login.state === 'refused' || login.state === 'mismatched';
  const loginLine = section(isUnreadable ? unreadable(operator) : loginSentence(login, operator));
  return {
    type: 'home',
    blocks: [
      // Whatever stands above the lookups is what helps at once.
      ...(isInTrouble ? [loginLine] : []),
      actions([button('Look up a snapshot…', LOOK_UP_ACTION, 'home')]),
      header('Your lookups'),
      ...lookupLines(recentLookups),
      ...watchLines(watches),
      header('How to ask'),
      ...usageMessage('/snapshot').blocks,
      section(ELSEWHERE),
      ...(isInTrouble ? [] : [header('Login to the service'), loginLine]),
      smallPrint('This tab is updated each time you open it.'),
    ],
  };
}

function lookupLines(lookups: Home['recentLookups']): types.SectionBlock[] {
  // The list could not be read, so nobody knows whether there are any.
  if (lookups === undefined) return [section('Not available right now.')];
  return lookups.length === 0 ? [section('Nothing in the last few days.')] : lookups.map(recentLine);
}

function watchLines(watches: Watches): types.KnownBlock[] {
  if (watches.length === 0) return [];
  // One block each: the most that a person can watch fit into the hundred of a tab.
  const lines = watches.map(({ snapshotId, host, until }) => ({
    ...section(`*${snapshotId}*${ofDevice(host)}\nDaily, ${slackTime(until, 'until')} at most`),
    accessory: button('Stop', STOP_WATCHING_ACTION, snapshotId, `Stop watching ${snapshotId}`),
  }));
  return [header('What you watch'), ...lines];
}

function unreadable({ contact }: Operator): string {
  return (
    '⚠ The bot can’t reach its own storage right now. Open this tab again in a minute. ' +
    `If it keeps happening, tell ${contact}.`
  );
}

const ELSEWHERE =
  'The command works in channels and direct messages. In a thread, mention the bot and the id, or choose ' +
  '*Diagnose snapshot* in the menu of a message. Here, under Messages, just send the id.';

function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

const STATES: Record<RecentLookup['state'], string> = {
  waiting: '⌛ In progress',
  ready: '✓ Ready',
  'timed-out': '⚠ No result in time',
  withheld: 'Not shown: you no longer have access',
  cancelled: 'Cancelled',
  failed: '⚠ No result',
  broken: '⚠ No result',
  unanswered: '⚠ No result',
};

/** Two lines: which snapshot of which device, and what came of it. */
function recentLine({
  question,
  before,
  others = [],
  device = '',
  state,
  findings,
  askedAt,
  permalink,
}: LinkedLookup): types.SectionBlock {
  const { snapshotId } = question;
  const together = [snapshotId, ...others.map((other) => other.snapshotId)].join(', ');
  const name = before === undefined ? together : `${before.snapshotId} → ${snapshotId}`;
  const linked = permalink === undefined ? name : `<${permalink}|${name}>`;
  const found = findings === '' ? '' : `: ${inert(findings)}`;
  return section(`*${linked}*${ofDevice(device)}\n${STATES[state]}${found} · ${slackTime(askedAt)}`);
}

function ofDevice(name: string): string {
  return name === '' ? '' : ` · ${inert(name)}`;
}

function loginSentence(login: LoginHealth, operator: Operator): string {
  switch (login.state) {
    case 'working':
      return `✓ Logged in. The session lasts ${slackTime(login.until, 'until about')}.`;
    case 'refused':
      return (
        `⚠ The service rejected the bot’s account, or its session. Ask ${operator.contact} to check it at ` +
        `<${operator.loginUrl}>. I log in again no earlier than ${slackClock(login.until)}.`
      );
    case 'mismatched': {
      const { what, next } = faultSentence(login.fault, operator);
      return `⚠ ${what} ${next}`;
    }
    case 'not-needed':
      return 'Not logged in. The next lookup logs in.';
    default:
      return login satisfies never;
  }
}

/** Publishes the Home tab each time somebody opens it. It does not ask the service. */
export function home(parts: FeatureParts): Feature {
  return {
    hook: (event) => listRecent(event, parts),
    listen: (on, context) => {
      const publish = async (user: string, client: webApi.WebClient) => {
        const { loginHealth, operator, following } = context;
        const [list, login, watches = []] = await Promise.all([
          orUndefined(() => recentLookups(user, parts)),
          orUndefined(loginHealth),
          orUndefined(() => following.of(user)),
        ]);
        const linked = list && (await allowedAndLinked(list, client, context));
        const view = homeView({ recentLookups: linked, login, watches, operator });
        await client.views.publish({ user_id: user, view });
      };
      on.event('app_home_opened', async ({ event, client }) => {
        if (event.tab === 'home') await publish(event.user, client);
      });
      on.click(STOP_WATCHING_ACTION, { home: 'read' }, async ({ value, user, client }) => {
        if (isSnapshotId(value)) await context.following.stop(user, value);
        await publish(user, client);
      });
    },
  };
}

/** Leaves out lookups in conversations where the bot may no longer be used. */
function allowedAndLinked(
  list: readonly RecentLookup[],
  client: webApi.WebClient,
  { access }: ListenerContext,
): Promise<LinkedLookup[]> {
  const allowed = list.filter(({ channel }) => isAllowedChannel(channel, access.rules));
  return Promise.all(
    allowed.map(async (recent) => {
      const { channel, ts } = recent;
      if (ts === undefined) return recent;
      const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
      return { ...recent, permalink: found?.permalink };
    }),
  );
}

/** Undefined if it cannot be read; the Home tab says so. */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
