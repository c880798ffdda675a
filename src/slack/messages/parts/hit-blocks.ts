import type { types } from '@slack/bolt';
import { hitValue } from '../../block-kit/action-values.ts';
import { actions, button, type RichElement, richText, words } from '../../block-kit/blocks.ts';
import { weigh } from '../../block-kit/limits.ts';
import { type Draft, draftOf, filled, type HitView } from './hit-draft.ts';

export const DETAILS_ACTION = 'details';

/** How much the hits of one page may take: lines of each of `PHONES`, and what Slack counts of a message. */
export type Room = { readonly lines: readonly number[]; readonly weight: number };

/**
 * The hits of one page, each as blocks: what it is, what to do, and buttons to an article and to its details. As much
 * more of each as the lines hold; where the texts are too heavy for Slack, only what can't be left out.
 */
export function hitBlocks(hits: readonly HitView[], { lines, weight }: Room): types.KnownBlock[][] {
  const full = filled(
    hits.map((hit) => draftOf(hit)),
    lines,
  ).map(draw);
  return weigh(full) <= weight ? full : hits.map((hit) => draw(draftOf(hit, 'bare')));
}

function draw(draft: Draft): types.KnownBlock[] {
  const { hitView, title, summary, evidence, links, detailsLabel, detail } = draft;
  const { hit, index, view } = hitView;
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  const spoken = detail === 'full' ? `Details of ${hit.name}` : undefined;
  const paragraphs = [
    [words(title, { bold: true })],
    ...(summary === '' ? [] : [[words(summary)]]),
    ...lastParagraph(draft),
    ...(evidence === '' ? [] : [[words(evidence)]]),
  ];
  const details = button(detailsLabel, DETAILS_ACTION, value, spoken);
  return [richText(...paragraphs), actions([...links.buttons, details])];
}

/** What to do, and behind it, apart by its slant, what is known of it. */
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
