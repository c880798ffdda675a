import type { types } from '@slack/bolt';
import { CHANGES, type Change, type Comparison } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { header, type Message, type RichElement, richText, select, smallPrint, words } from '../blocks.ts';
import type { ViewState } from '../button-values.ts';
import { LIMITS, shorten, weigh } from '../limits.ts';
import { type Answers, comparisonOf, type ShownHit, shownHits } from '../shown-hits.ts';
import {
  becameOf,
  bothIds,
  bothTotals,
  changeCounts,
  deviceLines,
  sectionTitle,
  unlisted,
} from './comparison-words.ts';
import { controls, pagePlace } from './controls.ts';
import { hitBlocks } from './hit-blocks.ts';
import { messageText, textLine } from './message-text.ts';
import { missLine } from './miss-block.ts';
import { type Item, paginate } from './pages.ts';
import { resultMenu } from './result-menu.ts';
import { type Since, sinceLine, sinceText } from './since-line.ts';
import { slackTime } from './slack-time.ts';
import { count, importanceOf } from './wording.ts';

export const SHOW_ACTION = 'show';
/** The choice that shows all changes again; each other choice is the name of one kind. */
const SHOW_ALL = 'changes';

/** Two results, what of them is shown, and what changed in either since the message was made. */
export type ComparisonView = {
  readonly state: ViewState;
  readonly answers: Answers;
  readonly since?: readonly Since[];
};

type Drawn = ComparisonView & { readonly comparison: Comparison<Diagnostic>; readonly shown: number };

const LONGEST_DEVICE_LINE = 200;

/** What changed from one snapshot to another: how much first, then what is new, what changed, and what is cleared. */
export function comparisonMessage(view: ComparisonView): Message {
  const { state, answers } = view;
  const shown = shownHits(state, answers);
  const drawn = { ...view, comparison: comparisonOf(answers), shown: shown.length };
  const frame = framed(drawn);
  const pages = paginate(itemsOf(drawn, shown), LIMITS.messageJson - weigh(frame(1, 3)));
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0, blocks: [] };
  const { top, bottom } = frame(number, pages.length);
  return {
    text: messageText(
      headline(drawn, pagePlace(number, pages.length)),
      shown.slice(page.first, page.first + page.count).map(changeLine),
    ),
    blocks: [...top, ...page.blocks, ...bottom],
  };
}

/** Cleared hits are good news: a line each, unless somebody asks for them. */
function itemsOf({ state, comparison }: Drawn, shown: readonly ShownHit[]): Item[] {
  return shown.map((one, index) => {
    const { hit, change = 'unchanged' } = one;
    const section = sectionTitle(change, comparison[change].length, state);
    if (change === 'cleared' && state.show === undefined) {
      return { section, line: missLine({ ...hit, title: `${importanceOf(hit)} · ${hit.title}` }) };
    }
    const note = change === 'changed' ? becameOf(one, state) : '';
    return { section, blocks: hitBlocks({ hit, index, view: state, note }) };
  });
}

type Frame = { readonly top: types.KnownBlock[]; readonly bottom: types.KnownBlock[] };

/** Everything but the hits, for a page of so many; `number` counts from 0. */
function framed(view: Drawn): (number: number, pages: number) => Frame {
  const { state, answers, shown, comparison } = view;
  const all = CHANGES.reduce((sum, change) => sum + comparison[change].length, 0);
  const top = [header(titleOf(view)), richText(...overview(view))];
  const menus = [showSelect(view), resultMenu({ shown, all, noun: 'hit', isComparable: false })];
  const readAt = Math.min(answers.readAt, answers.before?.readAt ?? answers.readAt);
  const read = `read ${slackTime(readAt)}`;
  return (number, pages) => {
    const footer = [pagePlace(number, pages), `asked by <@${state.askedBy}>`, read];
    return {
      top,
      bottom: [
        smallPrint(footer.filter((part) => part !== '').join(' · ')),
        controls({ state, number, pages, menus }),
      ],
    };
  };
}

function titleOf({ state }: Drawn): string {
  return `Snapshots ${bothIds(state)}`;
}

function overview({ state, answers, comparison, since = [] }: Drawn): RichElement[][] {
  const rest = [bothTotals(comparison), unlisted(comparison, state.show)].filter((part) => part !== '');
  return [
    ...deviceLines(answers).map((line) => [words(shorten(line, LONGEST_DEVICE_LINE))]),
    [
      words(changeCounts(comparison), { bold: true }),
      ...(rest.length > 0 ? [words(` — ${rest.join('; ')}`)] : []),
    ],
    ...since.map((one) => sinceLine(one, 'hit', `Snapshot ${one.snapshotId}: `)),
  ];
}

function showSelect({ state, comparison }: Drawn): types.StaticSelect | undefined {
  const labels: Record<Change, string> = {
    new: 'New',
    changed: 'Another importance',
    cleared: 'Cleared',
    unchanged: 'Unchanged',
  };
  const kinds = CHANGES.filter((change) => comparison[change].length > 0 || change === state.show);
  if (kinds.length === 0) return undefined;
  const changes = comparison.new.length + comparison.changed.length + comparison.cleared.length;
  const chosen = state.show === undefined ? 'all changes' : labels[state.show].toLowerCase();
  return select(`Show: ${chosen}`, SHOW_ACTION, [
    {
      name: 'Show',
      choices: [
        { label: `All changes (${count(changes)})`, value: SHOW_ALL },
        ...kinds.map((kind) => ({
          label: `${labels[kind]} (${count(comparison[kind].length)})`,
          value: kind,
        })),
      ],
    },
  ]);
}

function headline(view: Drawn, place: string): string[] {
  const { state, comparison, since = [] } = view;
  return [
    `${titleOf(view)}: ${changeCounts(comparison)}`,
    bothTotals(comparison),
    ...since.map((one) => sinceText(one, 'hit', `snapshot ${one.snapshotId}: `)),
    unlisted(comparison, state.show),
    place.toLowerCase(),
  ];
}

function changeLine({ hit, change = 'unchanged' }: ShownHit): string {
  return `${change.charAt(0).toUpperCase()}${change.slice(1)}: ${textLine(hit)}`;
}
