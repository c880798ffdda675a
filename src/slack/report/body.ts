import type { types } from '@slack/bolt';
import { levelOf } from '../../core/importance.ts';
import * as ui from '../blocks/blocks.ts';
import { inert, LIMITS, weigh } from '../blocks/limits.ts';
import { acceptedHit, hitLines, hitsOf, isOpen, type Row, titleOfHit, wholeHit } from './hit.ts';
import { isCritical, isGrave, levelCounts } from './levels.ts';
import type { Group } from './rows.ts';
import { capital, count, joined, some } from './words.ts';

/** A list of hits. Its last line counts the hits that it does not name, or is `end` if it names all. */
export type Section = { readonly heading?: string; readonly rows: readonly Row[]; readonly end?: string };

/** The heading of a group, such as `Only on lb-b: 2`. */
export function headingOf({ place, rows }: Pick<Group, 'place' | 'rows'>): string {
  return `${capital(place)}: ${count(rows.length)}`;
}

/** The content of a message that shows a result, from its title to its buttons. */
export type Body = {
  readonly title: string;
  /** The most important facts, one line each. `summary`: the same facts as a short text, for notifications. */
  readonly lines: readonly ui.RichElement[][];
  readonly summary?: string;
  /** Small print or a table, and the snapshots without a result. */
  readonly facts: readonly types.KnownBlock[];
  readonly sections: readonly Section[];
  /**
   * The hits that the message names. The first `whole` hits are shown in full (default: `wholeSize`), the others as
   * lines. If the message gets too long, the last hits are dropped.
   */
  readonly named: readonly Row[];
  readonly whole?: number;
  readonly accepted?: readonly Row[];
  /** The first buttons of the message; the owner's button and the menu follow. */
  readonly buttons: readonly types.Button[];
  /** Whether the message lists hits of one device, so it offers “I’m on it”. */
  readonly canBeOwned?: boolean;
  /** The verdict in one line, repeated at the end of a long message. */
  readonly verdict?: string;
};

/** The most hits that a message shows in full: usually its critical hits, and at least three. */
export const MOST_WHOLE = 5;

function wholeSize(rows: readonly Row[]): number {
  return Math.min(Math.max(rows.filter(({ hit }) => isCritical(hit)).length, 3), MOST_WHOLE);
}

/** The most hits that a message names. */
export const MOST_NAMED = 30;

/** The hits that a message names, from a sorted list: all critical and high hits, at least five and at most thirty. */
export function namedFirst(rows: readonly Row[]): Row[] {
  return rows.slice(0, Math.min(Math.max(rows.filter(({ hit }) => isGrave(hit)).length, 5), MOST_NAMED));
}

/** The facts of a body in one line, for notifications. The two spaces between counts become a comma. */
export function summaryOf({ summary, lines }: Pick<Body, 'summary' | 'lines'>): string {
  return summary ?? ui.plainOf(lines).replaceAll('  ', ', ');
}

/** The part of a message that is the same for everybody, and is therefore drawn only once. */
export type Drawn = ui.Message & Pick<Body, 'buttons' | 'canBeOwned' | 'verdict'>;

/** Draws everything but the last buttons and the small print of a message. */
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
  const listed = accepted.slice(0, MOST_ACCEPTED).map(acceptedHit);
  const more = some(accepted.slice(MOST_ACCEPTED), 'more accepted');
  const bottom = ui.present(...listed, more && ui.line(`And ${more}`));
  const room = LIMITS.messageJson - weigh([top, bottom, buttons, verdict]) - END_WEIGHT;
  return {
    ...body,
    text: [`${title}: ${summaryOf(body)}`, ...titles].map(inert).join('\n'),
    blocks: [...top, ...fitted(body, room), ...bottom],
  };
}

const TITLES_IN_TEXT = 5;
const MOST_ACCEPTED = 5;
/** The most JSON characters that the state, the menu and the small print of a message need. */
const END_WEIGHT = 1_300;

/** The lists of a message, shortened to fit: the links of the lines are removed first, then the last hits. */
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
    const levels = levelCounts(hitsOf(rest.filter(isOpen)));
    const accepted = rest.filter((row) => !isOpen(row));
    const sizes = joined(', ', levels, some(accepted, 'accepted'));
    const number = levels === '' ? '' : `${count(rest.length)} more: `;
    // A heading has the count already.
    const more = heading && here.length === 0 ? sizes : `And ${number}${sizes}`;
    const closing = rest.length === 0 ? end : more;
    return ui.present<types.KnownBlock>(
      heading !== undefined && ui.header(heading),
      ...here.flatMap(({ row, at }) => (at < whole ? wholeHit(row, at) : [])),
      lines.length > 0 && hitLines(lines, isLinked),
      closing && ui.line(closing),
    );
  });
}
