import type { types } from '@slack/bolt';
import type { Diagnostic, Solution } from '../../core/diagnostics.ts';
import type { Question } from '../../core/lookup.ts';
import { actions, button, preformatted, richText, smallPrint, words } from '../blocks.ts';
import { type HitValue, hitValue } from '../button-values.ts';
import { LIMITS, pieces, shorten } from '../limits.ts';
import { isWebAddress, solutionButton } from './solution-buttons.ts';
import { importanceOf } from './wording.ts';

export const PREVIOUS_PART_ACTION = 'part-previous';
export const NEXT_PART_ACTION = 'part-next';

/** A modal may have 100 blocks; fewer are read with less scrolling. */
const BLOCKS_A_PART = 30;
const PART_JSON = 20_000;

export type DetailsView = {
  readonly question: Question;
  readonly hit: Diagnostic;
  readonly index: number;
  readonly total: number;
  /** Counted from 0; kept within what there is. */
  readonly part: number;
};

/** Everything that is known of one hit, whole: what does not fit one view is a part further. */
export function detailsModal(view: DetailsView): types.ModalView {
  const { hit, index, total, question } = view;
  const parts = partsOf(hit);
  const number = Math.min(Math.max(view.part, 0), parts.length - 1);
  return {
    type: 'modal',
    title: { type: 'plain_text', text: shorten(`Hit ${index + 1} of ${total}`, LIMITS.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [
      ...(parts[number] ?? []),
      ...(parts.length > 1 ? [smallPrint(`Part ${number + 1} of ${parts.length} of a long text`)] : []),
      ...partButtons({ question, hit: index, name: hit.name }, number, parts.length),
    ],
  };
}

/** A modal that only says something, in mrkdwn: whatever of it came from elsewhere is inert. */
export function noticeModal(mrkdwn: string): types.ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Details' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: mrkdwn, verbatim: true } }],
  };
}

function partButtons(hit: Omit<HitValue, 'part'>, number: number, count: number): types.KnownBlock[] {
  const value = (part: number) => hitValue({ ...hit, part });
  const buttons = [
    ...(number > 0 ? [button('◂ Previous part', PREVIOUS_PART_ACTION, value(number - 1))] : []),
    ...(number < count - 1 ? [button('Next part ▸', NEXT_PART_ACTION, value(number + 1))] : []),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

function partsOf(hit: Diagnostic): types.KnownBlock[][] {
  const parts: types.KnownBlock[][] = [[]];
  let size = 0;
  for (const block of allBlocks(hit)) {
    const blockSize = JSON.stringify(block).length;
    const part = parts.at(-1);
    if (part === undefined || part.length === BLOCKS_A_PART || (size > 0 && size + blockSize > PART_JSON)) {
      parts.push([block]);
      size = blockSize;
    } else {
      part.push(block);
      size += blockSize;
    }
  }
  return parts;
}

function allBlocks(hit: Diagnostic): types.KnownBlock[] {
  return [
    ...labelled('', hit.title, true),
    ...labelled('', `${importanceOf(hit)} · ${hit.name}`),
    ...labelled('Summary', hit.summary),
    ...labelled('Action', hit.action),
    ...labelled('CVEs', hit.cveIds.join(', ')),
    ...labelled('Fixed in', hit.fixedIn.join(', ')),
    ...evidence(hit.output),
    ...solutions(hit),
  ];
}

function labelled(label: string, text: string, bold = false): types.KnownBlock[] {
  return pieces(text, LIMITS.textElement).map((piece, index) =>
    richText([
      ...(label !== '' && index === 0 ? [words(`${label}: `, { bold: true })] : []),
      words(piece, bold ? { bold } : undefined),
    ]),
  );
}

function evidence(output: readonly string[]): types.KnownBlock[] {
  const blocks = output.flatMap((block) => pieces(block, LIMITS.textElement).map(preformatted));
  if (blocks.length === 0) return [];
  return [richText([words('What was found on this device:', { bold: true })]), ...blocks];
}

function solutions(hit: Diagnostic): types.KnownBlock[] {
  const buttons = hit.solutions.flatMap((solution, index) => solutionButton(solution, index) ?? []);
  const others = hit.solutions.filter((solution) => !isWebAddress(solution) || isCut(solution));
  const rows: types.KnownBlock[] = [];
  // Long addresses make heavy rows; five of them still fit a part.
  for (let first = 0; first < buttons.length; first += 5) rows.push(actions(buttons.slice(first, first + 5)));
  return [
    ...others.flatMap(({ url, id }) => labelled('Solution', [id, url].filter(Boolean).join(' · '))),
    ...rows,
  ];
}

/** Whether the label of its button can't hold the article's id. */
function isCut({ id = '' }: Solution): boolean {
  return id.length > LIMITS.buttonText;
}
