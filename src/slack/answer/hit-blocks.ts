import type { types } from '@slack/bolt';
import type { Acceptance } from '../../core/accepting.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { cveIdsIn } from '../../core/naming.ts';
import { oneLine } from '../../core/texts.ts';
import { hitValue, type View } from '../block-kit/action-values.ts';
import { actions, richText, textIn, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { acceptedLine } from './accepted-line.ts';
import { brief, linesOf, type Phone } from './fitting.ts';
import type { foundOf } from './rows.ts';
import { detailsButton, linksOf } from './solutions.ts';
import { actionOf, importanceOf } from './wording.ts';

/** Shows the details again in a window that stands in their place. */
export const BACK_ACTION = 'hit-back';

/** A hit of a view: its position there, what else is said of it, and the usual host of the links. */
export type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note: string;
  readonly usualHost: string | undefined;
  /** That it was accepted: this is said in place of everything but its title. */
  readonly accepted?: Acceptance | undefined;
  /** What was found of it, on each of several devices. */
  readonly found: ReturnType<typeof foundOf>;
};

/** What the hits of one page may take: lines of this phone, and what Slack counts of a message. */
export type Room = { readonly lines: number; readonly weight: number; readonly phone: Phone };

const TITLE_LINES = 2;
const ACTION_LINES = 2;
/** What to do about a critical hit is cut after everything else; so much of it is always there. */
const CRITICAL_ACTION_LINES = { most: 4, least: 2 };
/** Of several snapshots titles also say whose the hit is: no longer action costs a line of them. */
const LEAST_OF_SEVERAL = 1;
const LONGEST_LEVEL = 40;
const LONGEST_FACT = 40;
const MOST_FACTS = 3;

/** What a message says of a hit. */
type Drawing = {
  readonly of: HitView;
  readonly phone: Phone;
  readonly title: string;
  readonly links: ReturnType<typeof linksOf>;
  /** What to do; where that says nothing, what the matter is. */
  readonly action: string;
  /** CVEs that the shown title does not name, and fixed-in versions. */
  readonly facts: string;
  readonly evidence: string;
};

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to its articles and its details. Titles and
 * buttons take the lines that they need; what is left goes to the texts in the order of their worth: what to do, the most
 * important hit first, then what else is known of a hit, then what was found on the device. Where the actions of critical
 * hits need more lines than there are, titles take one line. Where the texts are too heavy for Slack, the details alone
 * have them.
 */
export function hitBlocks(hits: readonly HitView[], { lines, weight, phone }: Room): types.KnownBlock[][] {
  const drawings = hits.map((of) => drawingOf(of, phone));
  let left = lines - sum(drawings.map(heightOf));
  /** Adds a text to each while there are lines left. */
  const add = (part: 'action' | 'facts' | 'evidence', textOf: (of: HitView, title: string) => string) => {
    for (const [at, drawing] of drawings.entries()) {
      if (drawing.of.accepted !== undefined) continue;
      const more = { ...drawing, [part]: textOf(drawing.of, drawing.title) };
      const cost = heightOf(more) - heightOf(drawing);
      if (cost > left && part !== 'action') continue;
      drawings[at] = more;
      left -= cost;
    }
  };
  const spare = sum(drawings.filter(({ of }) => !isCritical(of.hit)).map(savedBy));
  const isOfSeveral = hits[0]?.view.others !== undefined;
  const least = isOfSeveral ? LEAST_OF_SEVERAL : CRITICAL_ACTION_LINES.least;
  add('action', ({ hit }) =>
    actionIn(hit, isCritical(hit) && !isOfSeveral ? left + spare : left, least, phone),
  );
  left += shortenTitles(drawings, -left);
  add('facts', factsOf);
  add('evidence', evidenceOf);
  const blocks = drawings.map(draw);
  return weigh(blocks) <= weight ? blocks : drawings.map(({ of }) => draw(bareOf(of, phone)));
}

/** Cuts titles to one line until so many lines are saved, those of critical hits last; gives how many that are. */
function shortenTitles(drawings: Drawing[], lines: number): number {
  const last = [...drawings.entries()].toReversed();
  const inOrder = [false, true].flatMap((is) => last.filter(([, { of }]) => isCritical(of.hit) === is));
  let saved = 0;
  for (const [at, drawing] of inOrder) {
    if (saved >= lines) break;
    saved += savedBy(drawing);
    drawings[at] = shortened(drawing);
  }
  return saved;
}

function shortened(drawing: Drawing): Drawing {
  return { ...drawing, title: brief(drawing.title, 1, drawing.phone.bold) };
}

/** The lines that a hit takes less with a title of one line. */
function savedBy(drawing: Drawing): number {
  return heightOf(drawing) - heightOf(shortened(drawing));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The title and the articles of a hit, which it always has. */
function drawingOf(of: HitView, phone: Phone): Drawing {
  const { hit, note, usualHost } = of;
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  const title = `${level}${note === '' ? '' : ` (${note})`} · ${hit.title}`;
  return {
    of,
    phone,
    title: brief(title, TITLE_LINES, phone.bold),
    links: linksOf(hit.solutions, usualHost),
    ...{ action: '', facts: '', evidence: '' },
  };
}

/** The same where the articles are too heavy. */
function bareOf(of: HitView, phone: Phone): Drawing {
  return { ...drawingOf(of, phone), links: { buttons: [], rows: 1, more: of.hit.solutions.length } };
}

function heightOf({ of, phone, title, links, action, facts, evidence }: Drawing): number {
  const said = of.accepted && acceptedLine(of.accepted);
  const last = (said?.map(textIn) ?? [action, facts].filter(Boolean)).join(' ');
  return linesOf(title, phone.bold) + linesOf(last, phone.line) + linesOf(evidence, phone.line) + links.rows;
}

function draw({ of, title, action, facts, evidence, links }: Drawing): types.KnownBlock[] {
  const { hit, index, view, accepted, found } = of;
  const known = facts === '' ? [] : [words(`${action === '' ? '' : ' '}${facts}`, { italic: true })];
  const text = [...(action === '' ? [] : [words(action)]), ...known];
  const paragraphs = [
    [words(title, { bold: true })],
    ...(text.length === 0 ? [] : [text]),
    ...(accepted === undefined ? [] : [acceptedLine(accepted)]),
    ...(evidence === '' ? [] : [[words(evidence)]]),
  ];
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  return [
    richText(...paragraphs),
    actions([
      ...links.buttons,
      detailsButton(
        hit.title,
        found.some(({ output }) => output.length > 0),
        links,
        value,
      ),
    ]),
  ];
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}

/** `atLeast`: so many lines of what to do about a critical hit are there in any case. */
function actionIn(hit: Diagnostic, left: number, atLeast: number, { line }: Phone): string {
  const { summary, title } = hit;
  const action = actionOf(hit);
  const { most, least } =
    isCritical(hit) && action !== ''
      ? { ...CRITICAL_ACTION_LINES, least: atLeast }
      : { most: ACTION_LINES, least: 0 };
  const lines = Math.max(Math.min(most, left), least);
  const text = action || (oneLine(summary) === oneLine(title) ? '' : summary);
  const said = lines === 0 ? '' : brief(text, lines, line);
  // The beginning of a summary says less than the facts that fit in its place.
  return action === '' && lines < ACTION_LINES && said.endsWith('…') ? '' : said;
}

function factsOf({ hit: { cveIds, fixedIn } }: HitView, title: string): string {
  const named = cveIdsIn(title);
  const others = cveIds.filter((id) => !named.includes(id));
  return [some(others), fixedIn.length > 0 ? `Fixed in ${some(fixedIn)}` : '']
    .filter((part) => part !== '')
    .join(' · ');
}

function some(list: readonly string[]): string {
  const more = list.length > MOST_FACTS ? ` and ${list.length - MOST_FACTS} more` : '';
  const shown = list.slice(0, MOST_FACTS).map((each) => shorten(oneLine(each), LONGEST_FACT));
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
