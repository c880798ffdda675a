import type { types } from '@slack/bolt';
import { levelOf } from '../../core/importance.ts';
import {
  header,
  line,
  type Message,
  plainOf,
  present,
  type RichElement,
  richText,
} from '../blocks/blocks.ts';
import { inert, LIMITS, weigh } from '../blocks/limits.ts';
import { acceptedHit, hitLines, type Row, titleOfHit, wholeHit } from './hit.ts';
import { isCritical, isGrave, levelCounts } from './levels.ts';
import { count } from './words.ts';

/** A list, the most important first. `others` are counted with the rows that are not named; `end` is said where all are. */
export type Section = {
  readonly heading?: string;
  readonly rows: readonly Row[];
  /** What was solved is no work: its lines lead nowhere. */
  readonly isUnlinked?: boolean;
  readonly others?: readonly Row[];
  readonly end?: string;
};

/** What a message of results says, from its title to its end. */
export type Body = {
  readonly title: string;
  /** What matters most, a line each; `summary` is the same in a few words, where the lines are no sentences. */
  readonly lines: readonly RichElement[][];
  readonly summary?: string;
  /** Small print or a table, and which snapshots have no result. */
  readonly facts: readonly types.KnownBlock[];
  readonly notes?: readonly RichElement[][];
  readonly sections: readonly Section[];
  /** The rows that are named: the last ones give way first, and the first `whole` ones are whole, usually by `wholeSize`. */
  readonly named: readonly Row[];
  readonly whole?: number;
  readonly accepted?: readonly Row[];
  /** They stand before the owner's and the menu. */
  readonly buttons: readonly types.Button[];
  /** Whether it lists hits of one device, so that “I’m on it” is offered. */
  readonly canBeOwned?: boolean;
  /** What the message says, once more below a long list. */
  readonly verdict?: string;
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

/** What a body says in a few words. */
export function summaryOf({ summary, lines, notes = [] }: Pick<Body, 'summary' | 'lines' | 'notes'>): string {
  return summary ?? plainOf([...lines, ...notes]);
}

/** What is drawn once of a body, for all who ask. */
export type Drawn = Message & Pick<Body, 'buttons' | 'canBeOwned' | 'verdict'>;

/** A message as far as it is the same for all who ask. */
export function drawBody(body: Body): Drawn {
  const { title, lines, facts, notes = [], accepted = [], sections, buttons, verdict } = body;
  const titles = sections
    .filter(({ heading }) => heading === undefined)
    .flatMap(({ rows }) => rows.slice(0, TITLES_IN_TEXT))
    .map(({ hit }) => `${levelOf(hit).word}: ${titleOfHit(hit)}`);
  const top = present<types.KnownBlock>(
    header(title),
    lines.length > 0 && richText(...lines),
    ...facts,
    notes.length > 0 && richText(...notes),
  );
  const bottom = accepted.slice(0, MOST_ACCEPTED).map(acceptedHit);
  const room = LIMITS.messageJson - weigh([top, bottom, buttons, verdict]) - END_WEIGHT;
  return {
    ...body,
    text: [`${title}: ${summaryOf(body)}`, ...titles].map(inert).join('\n'),
    blocks: [...top, ...fitted(body, room), ...bottom],
  };
}

const TITLES_IN_TEXT = 5;
const MOST_ACCEPTED = 5;
/** What the state, the menu and the small print of a message weigh at most. */
const END_WEIGHT = 1_300;

/** The lists of a message in this room: first the links of the lines give way, then lines from the end. */
function fitted(body: Body, room: number): types.KnownBlock[] {
  let { named } = body;
  let blocks = sectionBlocks(body, named, true);
  if (weigh(blocks) > room) blocks = sectionBlocks(body, named, false);
  while (weigh(blocks) > room && named.length > 0) {
    named = named.slice(0, -1);
    blocks = sectionBlocks(body, named, false);
  }
  return blocks;
}

function sectionBlocks(body: Body, named: readonly Row[], isLinked: boolean): types.KnownBlock[] {
  const { sections, whole = wholeSize(body.named) } = body;
  const places = new Map(named.map((row, at) => [row, at]));
  return sections.flatMap((section): types.KnownBlock[] => {
    const { heading, rows, isUnlinked = false } = section;
    const here = rows.flatMap((row) => ({ row, at: places.get(row) ?? -1 })).filter(({ at }) => at >= 0);
    const lines = here.filter(({ at }) => at >= whole).map(({ row }) => row);
    const unnamed = rows.filter((row) => !places.has(row));
    const end = closingOf(section, unnamed);
    return present<types.KnownBlock>(
      heading !== undefined && header(heading),
      ...here.flatMap(({ row, at }) => (at < whole ? wholeHit(row, at) : [])),
      lines.length > 0 && hitLines(lines, isLinked && !isUnlinked),
      end && line(end),
    );
  });
}

/** `And 24 more: 16 medium, 8 low`; where a heading says how many there are and none is named, the levels alone. */
function closingOf({ heading, rows, others = [], end = '' }: Section, unnamed: readonly Row[]): string {
  const rest = [...unnamed, ...others];
  const levels = levelCounts(rest.map(({ hit }) => hit));
  if (rest.length === 0) return end;
  return heading !== undefined && unnamed.length === rows.length
    ? levels
    : `And ${count(rest.length)} more: ${levels}`;
}
