import type { types } from '@slack/bolt';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { Remembered } from '../../core/remembered.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import { header, type Message, plainOf, type RichElement, richText, words } from '../blocks/blocks.ts';
import { inert, LIMITS, weigh } from '../blocks/limits.ts';
import { type Around, type Ending, endOf } from './controls.ts';
import { acceptedHit, hitLines, type Row, titleOfHit, wholeHit } from './hit.ts';
import { isCritical, isGrave, levelCounts } from './levels.ts';
import { count } from './words.ts';

/** Hits under one heading, or, in a message of one snapshot, without one. */
export type Group = {
  readonly name?: string;
  readonly heading?: string;
  /** The most important first. */
  readonly rows: readonly Row[];
  /** What was solved is no work: its lines lead nowhere. */
  readonly isUnlinked?: boolean;
  /** The line below those that are named, by what is not named; or ''. Without it `And 24 more: 16 medium, 8 low`. */
  readonly closing?: (unnamed: readonly Row[]) => string;
};

/** What a message of results says, from its title to its end. */
export type Body = Ending & {
  readonly title: string;
  /** What matters most, a line each; `summary` is the same in a few words, where the lines are no sentences. */
  readonly lines: readonly RichElement[][];
  readonly summary?: string;
  /** Small print or a table, and which snapshots have no result. */
  readonly facts: readonly types.KnownBlock[];
  readonly notes?: readonly RichElement[][];
  readonly groups: readonly Group[];
  /** The rows that are named: the last ones give way first, and the first `whole` ones are whole. */
  readonly named: readonly Row[];
  readonly whole: number;
  readonly accepted?: readonly Row[];
};

/** How many hits of a message are whole: the critical ones, at least three and at most five. */
export function wholeSize(rows: readonly Row[]): number {
  return Math.min(Math.max(rows.filter(({ hit }) => isCritical(hit)).length, 3), 5);
}

/** However long a list is, a message names no more. */
export const MOST_NAMED = 30;

/** The hits of a sorted list that are named: every critical and high one, at most thirty; at least five of any level. */
export function namedFirst(rows: readonly Row[]): Row[] {
  return rows.slice(0, Math.min(Math.max(rows.filter(({ hit }) => isGrave(hit)).length, 5), MOST_NAMED));
}

/** `And 24 more: 16 medium, 8 low`; or ''. */
export function moreLine(rows: readonly Row[]): string {
  return rows.length === 0
    ? ''
    : `And ${count(rows.length)} more: ${levelCounts(rows.map(({ hit }) => hit))}`;
}

/** What a body says in a few words. */
export function summaryOf({ summary, lines, notes = [] }: Pick<Body, 'summary' | 'lines' | 'notes'>): string {
  return summary ?? plainOf([...lines, ...notes]);
}

/** What is drawn once of a body, for all who ask. */
export type Drawn = Ending & Message;

/** A message as far as it is the same for all who ask. */
export function drawBody(body: Body): Drawn {
  const {
    title,
    lines,
    facts,
    notes = [],
    accepted = [],
    groups,
    buttons,
    canBeOwned = false,
    verdict,
  } = body;
  const titles = groups
    .filter(({ heading }) => heading === undefined)
    .flatMap(({ rows }) => rows.slice(0, TITLES_IN_TEXT))
    .map(({ hit }) => `${levelOf(hit).word}: ${titleOfHit(hit)}`);
  const top = [
    header(title),
    ...(lines.length === 0 ? [] : [richText(...lines)]),
    ...facts,
    ...(notes.length === 0 ? [] : [richText(...notes)]),
  ];
  const bottom = accepted.slice(0, MOST_ACCEPTED).map(acceptedHit);
  const room = LIMITS.messageJson - weigh([top, bottom, buttons, verdict]) - END_WEIGHT;
  return {
    ...{ buttons, canBeOwned, verdict },
    text: [`${title}: ${summaryOf(body)}`, ...titles].map(inert).join('\n'),
    blocks: [...top, ...fitted(body, room), ...bottom],
  };
}

/** The message for one who asked: with the buttons and the small print that belong there. */
export function finished(drawn: Drawn, state: MessageState, around: Around, readAt: number): Message {
  return { text: drawn.text, blocks: [...drawn.blocks, ...endOf(drawn, state, around, readAt)] };
}

const TITLES_IN_TEXT = 5;
const MOST_ACCEPTED = 5;
/** What the state, the menu and the small print of a message weigh at most. */
const END_WEIGHT = 1_200;

/** The lists of a message in this room: first the links of the lines give way, then lines from the end. */
function fitted(body: Body, room: number): types.KnownBlock[] {
  let { named } = body;
  let isLinked = true;
  let blocks = listBlocks(body, named, isLinked);
  while (weigh(blocks) > room && named.length > 0) {
    if (!isLinked) named = named.slice(0, -1);
    isLinked = false;
    blocks = listBlocks(body, named, isLinked);
  }
  return blocks;
}

function listBlocks({ groups, whole }: Body, named: readonly Row[], isLinked: boolean): types.KnownBlock[] {
  const places = new Map(named.map((row, at) => [row, at]));
  const placeOf = (row: Row) => places.get(row) ?? Number.POSITIVE_INFINITY;
  return groups.flatMap(({ heading, rows, isUnlinked = false, closing = moreLine }): types.KnownBlock[] => {
    const lines = rows.filter((row) => places.has(row) && placeOf(row) >= whole);
    const end = closing(rows.filter((row) => !places.has(row)));
    return [
      ...(heading === undefined ? [] : [header(heading)]),
      ...rows.filter((row) => placeOf(row) < whole).flatMap((row) => wholeHit(row, placeOf(row))),
      ...(lines.length === 0 ? [] : [hitLines(lines, isLinked && !isUnlinked)]),
      ...(end === '' ? [] : [richText([words(end)])]),
    ];
  });
}

const MOST_VIEWS = 20;
const drawn = new WeakMap<DiagnosticsResult, Remembered<Drawn>>();

/** A result is drawn once for all who ask the same about it; a search, whose matches belong to one of them, each time. */
export function drawnOnce(
  { askedBy: _by, madeAt: _at, turn: _turn, ...view }: MessageState,
  { result, accepted, lastRead, hasNoLast, found }: Answers,
  ticketUrl: string | undefined,
  draw: () => Drawn,
): Drawn {
  if (found !== undefined) return draw();
  const views = drawn.get(result) ?? new Remembered<Drawn>(MOST_VIEWS);
  drawn.set(result, views);
  const key = JSON.stringify([view, accepted, lastRead, hasNoLast, ticketUrl]);
  const known = views.get(key) ?? draw();
  views.set(key, known, 0);
  return known;
}
