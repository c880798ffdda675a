import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { hitValue } from '../../block-kit/action-values.ts';
import { actions, button, type RichElement, richText, words } from '../../block-kit/blocks.ts';
import { weigh } from '../../block-kit/limits.ts';
import { type Draft, draftOf, filled, type HitView, heightOf } from './hit-draft.ts';
import { PHONE } from './line-count.ts';

export const DETAILS_ACTION = 'details';

/** How much the hits of one page may take: lines of each of `PHONES`, and what Slack counts of a message. */
export type Room = { readonly lines: readonly number[]; readonly weight: number };

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to an article and to its details. Each gets
 * as much more text as the lines allow; if the texts are too large for Slack, only what can't be left out.
 */
export function hitBlocks(hits: readonly HitView[], { lines, weight }: Room): types.KnownBlock[][] {
  const page = pageOf(hits);
  const full = page.full?.lines.join() === lines.join() ? page.full : drawn(page, lines);
  page.full = full;
  return full.weight <= weight ? full.blocks : hits.map((hit) => draw(draftOf(hit, 'bare')));
}

/** How many lines of the usual phone these hits take at least. */
export function leastLinesOf(hits: readonly HitView[]): number {
  return pageOf(hits).least;
}

/** The hits of a page as they were drawn last: everybody who asks for the same result gets the same. */
type Page = {
  readonly hits: readonly HitView[];
  /** What the buttons of the first one carry, which names the view. */
  readonly value: string;
  readonly drafts: readonly Draft[];
  readonly least: number;
  full?: Drawn;
};
type Drawn = {
  readonly lines: readonly number[];
  readonly blocks: types.KnownBlock[][];
  readonly weight: number;
};

/** Keyed by the first hit of a page, so that the page is freed together with its result. */
const pages = new WeakMap<Diagnostic, Page>();

function pageOf(hits: readonly HitView[]): Page {
  const [first] = hits;
  const value = first === undefined ? '' : carriedBy(first);
  const known = first && pages.get(first.hit);
  if (known?.value === value && isSame(known.hits, hits)) return known;
  const drafts = hits.map((hit) => draftOf(hit));
  const least = drafts.reduce((sum, draft) => sum + heightOf(draft, PHONE), 0);
  const page: Page = { hits, value, drafts, least };
  if (first !== undefined) pages.set(first.hit, page);
  return page;
}

function drawn({ drafts }: Page, lines: readonly number[]): Drawn {
  const blocks = filled(drafts, lines).map(draw);
  return { lines, blocks, weight: weigh(blocks) };
}

function isSame(some: readonly HitView[], others: readonly HitView[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, at) => {
      const other = others[at];
      const isOne = one.hit === other?.hit && one.index === other.index;
      return isOne && one.note === other.note && one.usualHost === other.usualHost;
    })
  );
}

function carriedBy({ view, index, hit }: HitView): string {
  return hitValue({ view, hit: index, name: hit.name, part: 0 });
}

function draw(draft: Draft): types.KnownBlock[] {
  const { hitView, title, summary, evidence, links, detailsLabel, detail } = draft;
  const { hit } = hitView;
  const spoken = detail === 'full' ? `Details of ${hit.name}` : undefined;
  const paragraphs = [
    [words(title, { bold: true })],
    ...(summary === '' ? [] : [[words(summary)]]),
    ...lastParagraph(draft),
    ...(evidence === '' ? [] : [[words(evidence)]]),
  ];
  const details = button(detailsLabel, DETAILS_ACTION, carriedBy(hitView), spoken);
  return [richText(...paragraphs), actions([...links.buttons, details])];
}

/** What to do, and after it, in italics, what else is known of the hit. */
function lastParagraph({ action, facts, links, name }: Draft): RichElement[][] {
  const more =
    links.more > 0
      ? `and ${links.more} more ${links.more === 1 ? 'article' : 'articles'} in the details`
      : '';
  const known: RichElement[][] = [
    ...(facts === '' ? [] : [[words(facts, { italic: true })]]),
    ...links.inText.map(({ element }) => [element]),
    ...[more, name].filter((text) => text !== '').map((text) => [words(text, { italic: true })]),
  ];
  const joined = known.flatMap((elements, index) => (index === 0 ? elements : [words(' · '), ...elements]));
  const start = action === '' ? [] : [words(joined.length > 0 ? `${action} ` : action)];
  return start.length + joined.length === 0 ? [] : [[...start, ...joined]];
}
