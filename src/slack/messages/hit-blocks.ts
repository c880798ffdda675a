import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { actions, button, type RichElement, richText, words } from '../blocks.ts';
import { hitValue, type View } from '../button-values.ts';
import { shorten } from '../limits.ts';
import { brief } from './brief.ts';
import { isWebAddress, linkButtons } from './solution-buttons.ts';
import { importanceOf } from './wording.ts';

export const DETAILS_ACTION = 'details';

/** What a message shows of a text; the rest is in the details. About two lines on a desktop. */
const SHOWN = 200;
/** Longer than any title that was seen. */
const SHOWN_TITLE = 160;
const SHOWN_LEVEL = 40;
const SHOWN_ADDRESS = 80;
const MOST_IDS = 3;
const MOST_ADDRESSES = 2;

/** A hit of a view, which place it has there, and what else has to be said of it. */
export type HitView = {
  readonly hit: Diagnostic;
  readonly index: number;
  readonly view: View;
  readonly note?: string;
};

/** One hit of a result: what it is, what to do, and the buttons to its solutions and its details. */
export function hitBlocks({ hit, index, view, note = '' }: HitView): types.KnownBlock[] {
  const level = shorten(importanceOf(hit), SHOWN_LEVEL);
  const paragraphs: RichElement[][] = [
    [words(`${level} · ${brief(hit.title, SHOWN_TITLE)}`, { bold: true })],
    ...shown(note),
    ...shown(hit.summary === hit.title ? '' : hit.summary),
    ...shown(saysSomething(hit.action) ? `Action: ${hit.action}` : ''),
    ...addresses(hit),
    [words(shorten(identity(hit), SHOWN_TITLE))],
  ];
  const value = hitValue({ view, hit: index, name: hit.name, part: 0 });
  const details = button('Details', DETAILS_ACTION, value, `Details of ${hit.name}`);
  return [richText(...paragraphs), actions([...linkButtons(hit.solutions), details])];
}

function shown(text: string): RichElement[][] {
  return text === '' ? [] : [[words(brief(text, SHOWN))]];
}

/** Solutions that can't be buttons, as text: nobody can click what no browser should open. */
function addresses({ solutions }: Diagnostic): RichElement[][] {
  return solutions
    .filter((solution) => !isWebAddress(solution))
    .slice(0, MOST_ADDRESSES)
    .map(({ url, id }) => [words(`Solution: ${shorten(url || (id ?? ''), SHOWN_ADDRESS)}`)]);
}

/** In most hits the action is this sentence, which the solution buttons already say. */
const BOILERPLATE = /^(?:for additional information,? refer to the linked article|none|n\/a)\.?$/i;

/** Whether an action earns a line of its own. */
function saysSomething(action: string): boolean {
  return action !== '' && !BOILERPLATE.test(action);
}

function identity({ name, cveIds, fixedIn }: Diagnostic): string {
  return [name, some(cveIds), fixedIn.length > 0 ? `fixed in ${some(fixedIn)}` : '']
    .filter((part) => part !== '')
    .join(' · ');
}

function some(list: readonly string[]): string {
  const more = list.length > MOST_IDS ? ` and ${list.length - MOST_IDS} more` : '';
  return list.slice(0, MOST_IDS).join(', ') + more;
}
