import type { types } from '@slack/bolt';
import { levelOf } from '../../core/importance.ts';
import * as ui from '../blocks/blocks.ts';
import { inert, LIMITS, weigh } from '../blocks/limits.ts';
import { acceptedHit, hitLines, hitsOf, type Row, titleOfHit, wholeHit } from './hit.ts';
import { isCritical, isGrave, levelCounts } from './levels.ts';
import type { Group } from './rows.ts';
import { capital, count } from './words.ts';

/** A list of rows. Rows that are not named are counted at its end; `end` is said if all are named. */
export type Section = { readonly heading?: string; readonly rows: readonly Row[]; readonly end?: string };

/** `Only on lb-b: 2` */
export function headingOf({ place, rows }: Pick<Group, 'place' | 'rows'>): string {
  return `${capital(place)}: ${count(rows.length)}`;
}

/** What a message of results says, from its title to its end. */
export type Body = {
  readonly title: string;
  /** What matters most, a line each. `summary`: what they say in a few words, for lines that are no sentences. */
  readonly lines: readonly ui.RichElement[][];
  readonly summary?: string;
  /** Small print or a table, and which snapshots have no result. */
  readonly facts: readonly types.KnownBlock[];
  readonly sections: readonly Section[];
  /**
   * The rows that are named. The first `whole` of them are whole (default: `wholeSize`); without room the last ones are
   * dropped first.
   */
  readonly named: readonly Row[];
  readonly whole?: number;
  readonly accepted?: readonly Row[];
  /** They stand before the button of the owner and the menu. */
  readonly buttons: readonly types.Button[];
  /** Whether it lists hits of one device, so that “I’m on it” is offered. */
  readonly canBeOwned?: boolean;
  /** The verdict, repeated below a long list. */
  readonly verdict?: string;
};

/** The most hits of a message that are whole: usually the critical ones, at least three. */
export const MOST_WHOLE = 5;

function wholeSize(rows: readonly Row[]): number {
  return Math.min(Math.max(rows.filter(({ hit }) => isCritical(hit)).length, 3), MOST_WHOLE);
}

/** The most rows that a message names. */
export const MOST_NAMED = 30;

/** The hits of a sorted list that are named: every critical and high one, at most thirty; at least five of any level. */
export function namedFirst(rows: readonly Row[]): Row[] {
  return rows.slice(0, Math.min(Math.max(rows.filter(({ hit }) => isGrave(hit)).length, 5), MOST_NAMED));
}

/** What a body says in a few words; between counts stand two spaces. */
export function summaryOf({ summary, lines }: Pick<Body, 'summary' | 'lines'>): string {
  return summary ?? ui.plainOf(lines).replaceAll('  ', ', ');
}

/** The part of a message that is drawn once, for all who ask. */
export type Drawn = ui.Message & Pick<Body, 'buttons' | 'canBeOwned' | 'verdict'>;

/** Draws the part of a message that is the same for all who ask. */
export function drawBody(body: Body): Drawn {
  const { title, lines, facts, accepted = [], sections, named, buttons, verdict } = body;
  const isGrouped = sections.some(({ heading }) => heading !== undefined);
  const titles = named
    .slice(0, isGrouped ? 0 : TITLES_IN_TEXT)
    .map(({ hit }) => `${levelOf(hit).word}: ${titleOfHit(hit)}`);
  const top = ui.present<types.KnownBlock>(
    ui.header(title),
    lines.length > 0 && ui.richText(...lines),
    ...facts,
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

/** The lists of a message, cut to fit: first without the links of the lines, then without the last lines. */
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
  return sections.flatMap(({ heading, rows, end }): types.KnownBlock[] => {
    const here = rows.flatMap((row) => ({ row, at: places.get(row) ?? -1 })).filter(({ at }) => at >= 0);
    const lines = here.filter(({ at }) => at >= whole).map(({ row }) => row);
    const rest = rows.filter((row) => !places.has(row));
    const levels = levelCounts(hitsOf(rest));
    // The heading has the count already.
    const more = heading && here.length === 0 ? levels : `And ${count(rest.length)} more: ${levels}`;
    const closing = rest.length === 0 ? end : more;
    return ui.present<types.KnownBlock>(
      heading !== undefined && ui.header(heading),
      ...here.flatMap(({ row, at }) => (at < whole ? wholeHit(row, at) : [])),
      lines.length > 0 && hitLines(lines, isLinked),
      closing && ui.line(closing),
    );
  });
}
