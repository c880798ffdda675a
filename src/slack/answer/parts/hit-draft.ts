import type { Diagnostic } from '../../../core/diagnostics.ts';
import { levelOf } from '../../../core/importance.ts';
import { cveIdsIn } from '../../../core/issue-ids.ts';
import { oneLine } from '../../../core/one-line.ts';
import type { View } from '../../block-kit/action-values.ts';
import { shorten } from '../../block-kit/limits.ts';
import { webAddress } from '../model/solution-address.ts';
import { actionOf } from '../words/action-words.ts';
import { importanceOf } from '../words/wording.ts';
import { brief } from './brief.ts';
import { linesOf, PHONE, PHONES, type Phone } from './line-count.ts';
import { type Links, linksOf } from './solution-buttons.ts';

/** A hit of a view: its position there, what else is said of it, and the usual host of the links. */
export type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note?: string;
  readonly usualHost: string | undefined;
};

/** How much of a hit has to fit: `bare` only where its texts are so heavy that Slack would refuse the page. */
export type Detail = 'full' | 'bare';

/** What a message says of a hit. Only the optional texts may be '': the others are there whenever the hit has them. */
export type Draft = {
  readonly hitView: HitView;
  readonly detail: Detail;
  readonly title: string;
  /** CVEs that the title does not name, fixed-in versions, and addresses that are no links. */
  readonly facts: string;
  readonly links: Links;
  readonly detailsLabel: string;
  readonly action: string;
  readonly summary: string;
  readonly evidence: string;
  readonly name: string;
};

const SHOWN_TITLE = { full: 160, bare: 60 };
const SHOWN_FACT = { full: 80, bare: 20 };
const MOST_IDS = { full: 3, bare: 1 };
const SHOWN_LEVEL = 40;
const MOST_ADDRESSES = 2;
const LONGEST_NAME = 40;

/** A first sentence that is no longer than this stays whole; a longer one does where the page has room for it. */
const MOST_SENTENCE = 4 * PHONE.line;
const LONGEST_SENTENCE = 12 * PHONE.line;

/** What can't be left out of a hit; of its action, a sentence. */
export function draftOf(hitView: HitView, detail: Detail = 'full'): Draft {
  const { hit, note = '', usualHost } = hitView;
  const level = shorten(importanceOf(hit), SHOWN_LEVEL);
  const detailsLabel = detailsLabelOf(hit);
  const most = detail === 'full' ? {} : { most: 0 };
  return {
    hitView,
    detail,
    title: `${level}${note === '' ? '' : ` (${shorten(note, SHOWN_LEVEL)})`} · ${brief(hit.title, SHOWN_TITLE[detail])}`,
    facts: factsOf(hit, detail),
    links: linksOf(hit.solutions.filter(webAddress), usualHost, { beside: detailsLabel, ...most }),
    detailsLabel,
    action: detail === 'full' ? brief(actionOf(hit), PHONE.line, MOST_SENTENCE) : '',
    summary: '',
    evidence: '',
    name: '',
  };
}

/** How many lines of a phone a draft takes, its row of buttons included. */
export function heightOf(
  { title, facts, links, action, summary, evidence, name }: Draft,
  { line, bold }: Phone,
): number {
  const linked = links.inText.map(({ label }) => label).join(' · ');
  const more = links.more > 0 ? `and ${links.more} more articles` : '';
  const last = [action, [facts, linked, more, name].filter(Boolean).join(' · ')].filter(Boolean).join(' ');
  return linesOf(title, bold) + [summary, last, evidence].reduce((sum, text) => sum + linesOf(text, line), 1);
}

type Step = (draft: Draft) => Draft;

const actionIn =
  (lines: number, sentence?: number): Step =>
  (draft) => ({ ...draft, action: brief(actionOf(draft.hitView.hit), lines * PHONE.line, sentence) });

const summaryIn =
  (lines: number, isWanted: (draft: Draft) => boolean, sentence = MOST_SENTENCE): Step =>
  (draft) =>
    isWanted(draft) ? { ...draft, summary: summaryOf(draft.hitView.hit, lines, sentence) } : draft;

/**
 * Texts that are added while there is room, the most important first. A step that has nothing to add gives the draft
 * unchanged.
 */
const STEPS: readonly Step[] = [
  actionIn(2, MOST_SENTENCE),
  actionIn(4),
  actionIn(4, LONGEST_SENTENCE),
  (draft) => ({ ...draft, evidence: evidenceLine(draft.hitView.hit) }),
  summaryIn(2, ({ action }) => action === ''),
  summaryIn(4, ({ action }) => action === '', LONGEST_SENTENCE),
  summaryIn(2, isCritical),
  summaryIn(4, isCritical, LONGEST_SENTENCE),
  (draft) => ({ ...draft, name: shorten(oneLine(draft.hitView.hit.name), LONGEST_NAME) }),
];

/** Lines that optional texts leave free, because the number of lines is an estimate. */
const SPARE = 2;

/** What is cut if long actions take too many lines, the least important hit first. */
const CUTS: readonly Step[] = [actionIn(2), actionIn(1)];

/**
 * The drafts with as much more as these lines of each of `PHONES` hold, the first hits first: they are the most
 * important ones. Where the drafts alone are too long for the usual phone, actions are cut.
 */
export function filled(drafts: readonly Draft[], lines: readonly number[]): Draft[] {
  const found = [...drafts];
  const room = PHONES.map(
    (phone, at) => (lines[at] ?? 0) - drafts.reduce((sum, draft) => sum + heightOf(draft, phone), 0),
  );
  const put = (index: number, draft: Draft, costs: readonly number[]) => {
    found[index] = draft;
    costs.forEach((cost, at) => {
      room[at] = (room[at] ?? 0) - cost;
    });
  };
  for (const step of CUTS) {
    for (const [index, draft] of [...found.entries()].toReversed()) {
      const less = step(draft);
      if ((room[0] ?? 0) < 0 && draft.detail === 'full') put(index, less, costsOf(draft, less));
    }
  }
  for (const step of STEPS) {
    for (const [index, draft] of found.entries()) {
      const more = step(draft);
      const costs = costsOf(draft, more);
      const fits = costs.every((cost, at) => cost <= Math.max((room[at] ?? 0) - SPARE, 0));
      if (draft.detail === 'full' && fits) put(index, more, costs);
    }
  }
  return found;
}

/** How many more lines the second draft takes on each phone. */
function costsOf(before: Draft, after: Draft): number[] {
  return PHONES.map((phone) => heightOf(after, phone) - heightOf(before, phone));
}

function isCritical({ hitView }: Draft): boolean {
  return levelOf(hitView.hit).rank === 0;
}

function summaryOf({ summary, title }: Diagnostic, lines: number, sentence: number): string {
  return oneLine(summary) === oneLine(title) ? '' : brief(summary, lines * PHONE.line, sentence);
}

const LONGEST_EVIDENCE = 2 * PHONE.line - 8;
/** A line without a letter or a digit, such as what underlines a heading. */
const RULE = /^[^\p{L}\p{N}]*$/u;

/** The first lines of what was found on the device, never a heading alone; '' where there is nothing else. */
function evidenceLine({ output }: Diagnostic): string {
  const lines = output
    .flatMap((block) => block.split('\n'))
    .map(oneLine)
    .filter((line) => !RULE.test(line));
  const first = lines.findIndex((line) => !line.endsWith(':'));
  const [heading = '', found = '', next = ''] = [lines[first - 1], lines[first], lines[first + 1]];
  if (found === '') return '';
  const start = heading.length > LONGEST_EVIDENCE / 2 ? '' : `${heading} `;
  // A line without a colon may be a heading too: the next one stands beside it.
  const text = `${start}${found}${next === '' ? '' : ` · ${next}`}`.trimStart();
  return `Found: ${shorten(text, LONGEST_EVIDENCE)}`;
}

/** `Details · evidence`: whether it is worth opening. Blocks are no findings, so they are not counted. */
function detailsLabelOf({ output }: Diagnostic): string {
  return output.length === 0 ? 'Details' : 'Details · evidence';
}

function factsOf({ title, cveIds, fixedIn, solutions }: Diagnostic, detail: Detail): string {
  const named = cveIdsIn(title);
  const others = cveIds.filter((id) => !named.includes(id));
  const addresses = solutions
    .filter((solution) => webAddress(solution) === undefined)
    .map(({ url, id }) => oneLine(url) || (id ?? ''));
  return [
    some(others, detail),
    fixedIn.length > 0 ? `Fixed in ${some(fixedIn, detail)}` : '',
    ...(detail === 'full' ? addresses.slice(0, MOST_ADDRESSES) : []).map(
      (address) => `Solution: ${shorten(address, SHOWN_FACT[detail])}`,
    ),
    addresses.length > MOST_ADDRESSES ? `${addresses.length - MOST_ADDRESSES} more in the details` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function some(list: readonly string[], detail: Detail): string {
  const most = MOST_IDS[detail];
  const more = list.length > most ? ` and ${list.length - most} more` : '';
  const shown = list.slice(0, most).map((each) => shorten(oneLine(each), SHOWN_FACT[detail]));
  return shown.join(', ') + more;
}
