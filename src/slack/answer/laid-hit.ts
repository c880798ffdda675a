import type { Acceptance } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { cveIdsIn } from '../../core/naming.ts';
import { oneLine } from '../../core/texts.ts';
import { lazily } from '../../core/time.ts';
import type { View } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { beginningsOf, heightOf, linesOf, type Phone } from './fitting.ts';
import { acceptedLine } from './hit-notes.ts';
import type { cellsIn } from './rows.ts';
import { linksOf } from './solutions.ts';
import { actionOf, importanceOf, joined } from './wording.ts';

/** A hit of a view: its position there, what else is said of it, and the usual host of the links. */
type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note: string;
  readonly usualHost: string | undefined;
  /** Then that is said in place of everything but its title. */
  readonly accepted?: Acceptance;
  /** What each of several devices has of it. */
  readonly cells: ReturnType<typeof cellsIn>;
};

const LONGEST_LEVEL = 40;
const LONGEST_FACT = 40;
const MOST_FACTS = 3;

const LONGEST_TITLE = 3;
/** A text that is longer is for the details, however much room there is. */
const LONGEST_TEXT = 8;

/** How much of a hit is shown: lines of its title, of what to do, or else of what the matter is, and more. */
type Shown = {
  readonly title: number;
  readonly action: number;
  readonly summary: number;
  /** How many CVEs, and how many versions. */
  readonly facts: number;
  /** Lines of it, one or none. */
  readonly evidence: number;
};

/** What every hit has: the beginning of its title, and its buttons. */
const LEAST: Shown = { title: 1, action: 0, summary: 0, facts: 0, evidence: 0 };
/** What every critical hit has: the beginning of what to do about it. */
const LEAST_OF_CRITICAL: Shown = { ...LEAST, action: 2 };
const LEAST_OF_FIRST: Shown = { ...LEAST, action: 4 };
const UP_TO_LONGEST = Array.from({ length: LONGEST_TEXT - 2 }, (_, at) => at + 3);

type Step = readonly [what: keyof Shown, size: number, ofWhich?: 'critical'];
/**
 * What lines are spent on, in the order of its worth; within a step on the most important hit first. The beginning of what
 * the matter is says less than two lines of it.
 */
const STEPS: readonly Step[] = [
  ...UP_TO_LONGEST.map((size): Step => ['action', size, 'critical']),
  ['title', 2, 'critical'],
  ['facts', 1],
  ['title', 2],
  ['action', 1],
  ['action', 2],
  ['facts', MOST_FACTS],
  ['summary', 2],
  ['title', LONGEST_TITLE],
  ...UP_TO_LONGEST.map((size): Step => ['action', size]),
  ['evidence', 1],
  ...UP_TO_LONGEST.map((size): Step => ['summary', size]),
];

/** A hit whose texts are laid out on a phone, each to be shown in any number of lines. */
export type LaidHit = ReturnType<typeof laidHit>;

/** Lays the texts of a hit out, once for whatever is shown of it. */
export function laidHit(of: HitView, phone: Phone) {
  const { hit, note, usualHost, accepted } = of;
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  const rated = `${level}${note === '' ? '' : ` (${note})`} · `;
  const titles = beginningsOf(`${rated}${hit.title}`, LONGEST_TITLE, phone.bold, rated.length);
  const toDo = actionOf(hit);
  const kind: keyof Shown = toDo === '' ? 'summary' : 'action';
  const said = toDo || hit.summary;
  const isInTitle = oneLine(said) === oneLine(hit.title);
  const text = forEachSize(beginningsOf(isInTitle || accepted ? '' : said, LONGEST_TEXT, phone.line));
  const most: Shown = {
    ...LEAST,
    title: titles(LONGEST_TITLE).line,
    [kind]: text(LONGEST_TEXT).line,
    ...(accepted === undefined && {
      facts: Math.min(Math.max(hit.cveIds.length, hit.fixedIn.length), MOST_FACTS),
      evidence: hasEvidence(of) ? 1 : 0,
    }),
  };
  return {
    of,
    phone,
    isCritical: levelOf(hit).rank === 0,
    title: forEachSize((lines) => {
      const shown = titles(lines);
      return { ...shown, unnamed: unnamedIn(shown.text.slice(rated.length), hit) };
    }),
    text,
    kind,
    accepted: accepted === undefined ? [] : acceptedLine(accepted),
    evidence: lazily(() => evidenceOf(of)),
    most,
    links: linksOf(hit.solutions, usualHost),
  };
}

/** Whether anything was found on a device. */
export function hasEvidence({ cells }: Pick<HitView, 'cells'>): boolean {
  return cells.some(({ cell }) => cell.output.length > 0);
}

/** The same, made once for each size. */
function forEachSize<T>(make: (size: number) => T): (size: number) => T {
  const made: T[] = [];
  return (size) => {
    const known = made[size] ?? make(size);
    made[size] = known;
    return known;
  };
}

/** The CVEs of a hit that the shown part of its title does not name. */
function unnamedIn(title: string, { cveIds }: Diagnostic): readonly string[] {
  const named = cveIds.length === 0 ? [] : cveIdsIn(title);
  return cveIds.filter((id) => !named.includes(id));
}

/** What is said of a hit where so much of it is shown, and the lines that it takes with its buttons. */
function saidOf(laid: LaidHit, shown: Shown) {
  const { of, phone, kind, links, accepted } = laid;
  const [title, text] = [laid.title(shown.title), laid.text(shown[kind])];
  const facts = shown.facts === 0 ? '' : factsOf(title.unnamed, of.hit.fixedIn, shown.facts);
  const evidence = shown.evidence === 0 ? '' : laid.evidence();
  const known = linesOf(facts, phone.line, text) + linesOf(evidence, phone.line);
  const height = title.line + heightOf(accepted, phone) + known + links.rows;
  return { laid, shown, title, text, facts, evidence, height };
}

/** What is said of a hit. */
export type Said = ReturnType<typeof saidOf>;

/** The least of what is said of a hit. */
export function leastOf(laid: LaidHit): Said {
  return saidOf(laid, LEAST);
}

/** How many lines the hits take with all of what to do about the critical ones, and the least of everything else. */
export function linesNeeded(hits: readonly LaidHit[]): number {
  const needed = ({ isCritical }: LaidHit) => (isCritical ? { ...LEAST, action: LONGEST_TEXT } : LEAST);
  return hits.reduce((sum, laid) => sum + saidOf(laid, needed(laid)).height, 0);
}

/**
 * What is said of the hits of one page in so many lines: these are spent on what is worth most, until there are none left. A
 * text is cut, which an ellipsis says, only where the page is full.
 */
export function saidWithin(hits: readonly LaidHit[], lines: number): Said[] {
  const said = hits.map((laid, at) => {
    const least = at === 0 ? LEAST_OF_FIRST : LEAST_OF_CRITICAL;
    return saidOf(laid, laid.isCritical ? least : LEAST);
  });
  let left = lines - said.reduce((total, { height }) => total + height, 0);
  for (const [what, wanted, ofWhich] of STEPS) {
    for (const [at, { laid, shown, height }] of said.entries()) {
      const size = Math.min(wanted, laid.most[what]);
      if (shown[what] >= size || (ofWhich === 'critical' && !laid.isCritical)) continue;
      const more = saidOf(laid, { ...shown, [what]: size });
      const cost = more.height - height;
      if (cost > Math.max(left, 0)) continue;
      said[at] = more;
      left -= cost;
    }
  }
  return said;
}

/** CVEs and fixed-in versions: at most so many of each. */
function factsOf(cveIds: readonly string[], fixedIn: readonly string[], most: number): string {
  return joined(' · ', some(cveIds, most), fixedIn.length > 0 && `Fixed in ${some(fixedIn, most)}`);
}

function some(list: readonly string[], most: number): string {
  const more = list.length > most ? ` +${list.length - most}` : '';
  const shown = list.slice(0, most).map((each) => shorten(oneLine(each), LONGEST_FACT));
  return shown.join(', ') + more;
}

const LONGEST_EVIDENCE = 72;
/** A line without a letter or a digit, such as what underlines a heading. */
const RULE = /^[^\p{L}\p{N}]*$/u;

/** The first lines of what was found, never a heading alone, and on which device where others say otherwise; or ''. */
function evidenceOf({ cells }: HitView): string {
  const said = cells.map(({ name, cell }) => ({ name, text: beginningOf(cell.output) }));
  const first = said.find(({ text }) => text !== '');
  if (first === undefined) return '';
  const isSame = said.every(({ text }) => text === first.text);
  return `Found${isSame ? '' : ` on ${first.name}`}: ${first.text}`;
}

function beginningOf(output: Diagnostic['output']): string {
  const lines = output
    .flatMap((block) => block.split('\n'))
    .map(oneLine)
    .filter((line) => !RULE.test(line));
  const first = lines.findIndex((line) => !line.endsWith(':'));
  const [heading = '', found = '', next = ''] = [lines[first - 1], lines[first], lines[first + 1]];
  if (found === '') return '';
  const start = heading.length > LONGEST_EVIDENCE / 2 ? '' : `${heading} `;
  // A line without a colon may be a heading too: the next one stands beside it.
  return shorten(`${start}${found}${next === '' ? '' : ` · ${next}`}`.trimStart(), LONGEST_EVIDENCE);
}
