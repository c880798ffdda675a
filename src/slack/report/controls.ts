import type { types } from '@slack/bolt';
import { isDirect, type Lookup } from '../../core/lookup.ts';
import type { Owner } from '../../lookups/lookup-status.ts';
import { type MessageState, stateValue } from '../blocks/action-values.ts';
import { actions, askerTag, button, overflow, plain, slackClock, slackTime } from '../blocks/blocks.ts';

/** Opens the window that lists all hits, or with `CHECKS_ACTION` all passed checks. */
export const ALL_ACTION = 'all-hits';
export const CHECKS_ACTION = 'checks';
export const SEARCH_ACTION = 'search';
/** Asks for what was meant by a word that nothing has; its value is a command. */
export const DID_YOU_MEAN_ACTION = 'did-you-mean';
/** Opens the details of a hit; on a message with a number behind it. */
export const DETAILS_ACTION = 'details';
export const OWN_ACTION = 'own';
export const HAND_OVER_ACTION = 'hand-over';
/** Posts the report of the later one of two snapshots. */
export const REPORT_ACTION = 'report';
/** Posts for everybody what only the asker sees. */
export const POST_HERE_ACTION = 'post-here';
/** Compares two snapshots; its value is that request. */
export const COMPARE_LAST_ACTION = 'compare-last';
export const MENU_ACTION = 'more';
/** "Keep waiting" and "Try again" ask the same question anew, in the same message. */
export const ASK_AGAIN_ACTION = 'ask-again';

/** The entries of ⋯, by what each sends. */
const ENTRIES = {
  refresh: 'Refresh',
  compare: 'Compare with…',
  follow: 'Follow…',
  case: 'Text for the case…',
  csv: 'Export as CSV',
};

/** Where a message stands, who sees it, and who owns the device. */
export type Around = {
  readonly owner: Owner | undefined;
  readonly channel: string;
  readonly isPrivate: boolean;
  /** The thread of a private message. */
  readonly threadTs?: string | undefined;
  /** The template of the form of a ticket. */
  readonly ticketUrl?: string | undefined;
};

/** What a message of a result ends with, beside what all end with. */
export type Ending = {
  /** They stand before the owner's and the menu. */
  readonly buttons: readonly types.Button[];
  /** Whether it lists hits, so that “I’m on it” is offered. */
  readonly canBeOwned?: boolean;
  /** What the message says, once more below a long list. */
  readonly verdict?: string | undefined;
};

/** The end of a message of a result: its buttons, with its state, and a line of small print. `readAt` is epoch milliseconds. */
export function endOf(
  { buttons, canBeOwned = false, verdict }: Ending,
  state: MessageState,
  { owner, channel, isPrivate, threadTs }: Around,
  readAt: number,
): types.KnownBlock[] {
  const left = state.others ? ['compare', 'follow'] : state.before ? ['compare'] : [];
  const entries = Object.entries(ENTRIES).filter(([value]) => !left.includes(value));
  const own = owner === undefined ? button('I’m on it', OWN_ACTION) : button('Hand over…', HAND_OVER_ACTION);
  const since = owner && `*Owner:* <@${owner.user}> since ${clockNear(owner.since, readAt)}`;
  const asked = `Asked by ${askerTag(state.askedBy)} · as of ${clockNear(readAt, state.madeAt)}`;
  const row = actions([
    ...buttons,
    ...(canBeOwned && !isPrivate && !isDirect(channel) ? [own] : []),
    ...(isPrivate ? [button('Post it here', POST_HERE_ACTION, threadTs)] : []),
    overflow(
      MENU_ACTION,
      entries.map(([value, label]) => ({ value, label })),
    ),
  ]);
  const print = [since, asked].filter((text) => text !== undefined);
  const elements = [
    ...(verdict ? [plain(verdict)] : []),
    ...print.map((text) => ({ type: 'mrkdwn', text }) as const),
  ];
  return [
    { ...row, block_id: stateValue(state) },
    { type: 'context', elements },
  ];
}

const HALF_A_DAY_MS = 43_200_000;

/** The time alone says which one is meant within half a day of another one that is known. */
function clockNear(at: number, known: number): string {
  return Math.abs(at - known) < HALF_A_DAY_MS ? slackClock(at) : slackTime(at);
}

/** Below a message without a result, in mrkdwn: who asked, and when. */
export function askedLine({ askedBy, acceptedAt }: Lookup): string {
  return `Asked by ${askerTag(askedBy)} · ${slackClock(acceptedAt)}`;
}
