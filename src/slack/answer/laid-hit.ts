import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { cveIdsIn } from '../../core/naming.ts';
import { oneLine } from '../../core/texts.ts';
import { lazily } from '../../core/time.ts';
import type { View } from '../block-kit/action-values.ts';
import type { RichElement } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import { beginningsOf, heightOf, linesOf, type Phone } from './fitting.ts';
import type { foundOf } from './rows.ts';
import { linksOf } from './solutions.ts';
import { actionOf, importanceOf } from './wording.ts';

/** A hit of a view: its position there, what else is said of it, and the usual host of the links. */
type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note: string;
  readonly usualHost: string | undefined;
  /** What is said of a hit that was accepted, in place of everything but its title. */
  readonly accepted?: RichElement[] | undefined;
  /** What was found of it, on each of several devices. */
  readonly found: ReturnType<typeof foundOf>;
};

const LONGEST_LEVEL = 40;
const LONGEST_FACT = 40;
export const MOST_FACTS = 3;

export const LONGEST_TITLE = 3;
/** A text that is longer is for the details, however much room there is. */
export const LONGEST_TEXT = 8;

/** How much of a hit is shown: lines of its title, of what to do, or else of what the matter is, and more. */
export type Shown = {
  readonly title: number;
  readonly action: number;
  readonly summary: number;
  /** How many CVEs, and how many versions. */
  readonly facts: number;
  /** Lines of it, one or none. */
  readonly evidence: number;
};

/** What every hit has: the beginning of its title, and its buttons. */
export const LEAST: Shown = { title: 1, action: 0, summary: 0, facts: 0, evidence: 0 };

/** A hit whose texts are laid out on a phone, each to be shown in any number of lines. */
export type LaidHit = ReturnType<typeof laidHit>;

/** Lays the texts of a hit out, once for whatever is shown of it. */
export function laidHit(of: HitView, phone: Phone) {
  const { hit, note, usualHost, accepted, found } = of;
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  const rated = `${level}${note === '' ? '' : ` (${note})`} · `;
  const titles = beginningsOf(`${rated}${hit.title}`, LONGEST_TITLE, phone.bold, rated.length);
  const title = forEachSize((lines) => {
    const shown = titles(lines);
    return { ...shown, unnamed: unnamedIn(shown.text.slice(rated.length), hit) };
  });
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
      evidence: found.some(({ output }) => output.length > 0) ? 1 : 0,
    }),
  };
  const isCritical = levelOf(hit).rank === 0;
  const evidence = lazily(() => evidenceOf(of));
  return {
    of,
    phone,
    isCritical,
    title,
    text,
    kind,
    evidence,
    most,
    links: linksOf(hit.solutions, usualHost),
  };
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
export function saidOf(laid: LaidHit, shown: Shown) {
  const { of, phone, kind, links } = laid;
  const [title, text] = [laid.title(shown.title), laid.text(shown[kind])];
  const facts = shown.facts === 0 ? '' : factsOf(title.unnamed, of.hit.fixedIn, shown.facts);
  const evidence = shown.evidence === 0 ? '' : laid.evidence();
  const accepted = of.accepted === undefined ? 0 : heightOf(of.accepted, phone);
  const known = linesOf(facts, phone.line, text) + linesOf(evidence, phone.line);
  return { laid, shown, title, text, facts, evidence, height: title.line + accepted + known + links.rows };
}

/** CVEs and fixed-in versions: at most so many of each. */
function factsOf(cveIds: readonly string[], fixedIn: readonly string[], most: number): string {
  return [some(cveIds, most), fixedIn.length > 0 ? `Fixed in ${some(fixedIn, most)}` : '']
    .filter((part) => part !== '')
    .join(' · ');
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
function evidenceOf({ found }: HitView): string {
  const said = found.map(({ where, output }) => ({ where, text: beginningOf(output) }));
  const first = said.find(({ text }) => text !== '');
  if (first === undefined) return '';
  const isSame = said.every(({ text }) => text === first.text);
  return `Found${isSame ? '' : ` on ${first.where}`}: ${first.text}`;
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
