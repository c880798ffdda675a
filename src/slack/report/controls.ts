import type { types } from '@slack/bolt';
import { type Asked, isDirect, type Lookup } from '../../core/lookup.ts';
import type { Owner } from '../../lookups/lookup-status.ts';
import { type MessageState, stateValue, viewValue } from '../blocks/action-values.ts';
import {
  actions,
  askerTag,
  button,
  type Message,
  option,
  plain,
  present,
  slackClock,
  slackTime,
  smallPrint,
} from '../blocks/blocks.ts';
import { ACTION } from './action-ids.ts';
import { subjectOf } from './words.ts';

/** The entries of ⋯, by what each sends. */
const ENTRIES = {
  refresh: 'Refresh',
  compare: 'Compare with…',
  follow: 'Follow…',
  case: 'Text for the case…',
  csv: 'Export as CSV',
};

/** Where a message stands, who sees it, and who owns the device. `threadTs`: of a private one. `ticketUrl`: a template. */
export type Around = {
  readonly owner: Owner | undefined;
  readonly channel: string;
  readonly isPrivate: boolean;
  readonly threadTs?: string | undefined;
  readonly ticketUrl?: string | undefined;
};

/** What a message of a result ends with, beside what all end with. */
export type Ending = {
  /** They stand before the owner's and the menu. */
  readonly buttons: readonly types.Button[];
  /** Whether it lists hits of one device, so that “I’m on it” is offered. */
  readonly canBeOwned?: boolean | undefined;
  /** What the message says, once more below a long list. */
  readonly verdict?: string | undefined;
};

/** The asker's message with its small print and its buttons; the last row of buttons carries its state. Times: epoch milliseconds. */
export function finished(
  { text, blocks, buttons, canBeOwned = false, verdict = '' }: Ending & Message,
  state: MessageState,
  { owner, channel, isPrivate, threadTs }: Around,
  readAt: number,
): Message {
  const left = state.others ? ['compare', 'follow'] : state.before ? ['compare'] : [];
  const about = (label: string, actionId: string, value?: string) =>
    button(label, actionId, value, `${label}: ${subjectOf(state)}`);
  const own = owner === undefined ? about('I’m on it', ACTION.own) : about('Hand over…', ACTION.handOver);
  const options = Object.entries(ENTRIES)
    .filter(([value]) => !left.includes(value))
    .map(([value, label]) => option({ label, value }));
  const row = actions(
    present<types.ActionsBlockElement>(
      ...buttons,
      canBeOwned && !isPrivate && !isDirect(channel) && own,
      isPrivate && about('Post it here', ACTION.postHere, threadTs),
      { type: 'overflow', action_id: ACTION.menu, options },
    ),
  );
  const since = owner && `*Owner:* <@${owner.user}> since ${clockNear(owner.since, readAt)}`;
  const asked = `Asked by ${askerTag(state.askedBy)} · as of ${clockNear(readAt, state.madeAt)}`;
  const print = smallPrint(verdict !== '' && plain(verdict), since, asked);
  return { text, blocks: [...blocks, { ...row, block_id: stateValue(state) }, print] };
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

/** Asks for the same anew. */
export function askAgainButton(label: string, asked: Asked): types.Button {
  return button(label, ACTION.askAgain, viewValue(asked), `${label}: ${subjectOf(asked)}`);
}
