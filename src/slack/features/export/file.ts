import { hostOf } from '../../../core/device-identity.ts';
import { utcText } from '../../../core/time.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import {
  bothIds,
  bothTotals,
  changeCounts,
  comparisonDoubts,
  deviceLines,
} from '../../answer/comparison-words.ts';
import { filterWords } from '../../answer/filter.ts';
import { modelOf, type ResultModel, type ShownHit } from '../../answer/result-model.ts';
import { searchLine, verdictLines } from '../../answer/search-message.ts';
import { summaryOf } from '../../answer/summary.ts';
import {
  countDoubt,
  counted,
  deviceLine,
  hardwareOf,
  subjectOf,
  titleOf,
  unstatedCount,
} from '../../answer/wording.ts';
import type { View, ViewState } from '../../block-kit/action-values.ts';
import { inert } from '../../block-kit/inert-text.ts';
import type { Export } from '../../front/send-file.ts';
import { csvOf, type Source } from './csv.ts';
import { markdownOf } from './markdown.ts';

/** What a message shows, on all its pages, as a table or a report, or everything that it is about. */
export type ExportChoice = 'csv' | 'markdown' | 'all-csv';

/** The file and its comment in mrkdwn, which holds only the bot's own words and ids. */
export function exportFile(view: ViewState, answers: Answers, choice: ExportChoice): Export {
  const model = modelOf(view, answers);
  const passed = model.listed.slice(model.shown.length);
  const hits = [...(choice === 'all-csv' ? model.all : model.shown), ...passed];
  const some = contentsOf(model, hits);
  const extension = choice === 'markdown' ? 'md' : 'csv';
  const content =
    choice === 'markdown'
      ? markdownOf(titleFor(view, answers), aboutOf(model, some), { ...model, shown: hits })
      : csvOf(hits, sourceOf(model));
  const name = `${nameOf(model, choice)}.${extension}`;
  const comment = [`${some} of ${subjectOf(view)}`, ...verdictLines(model).map(inert)].join('\n');
  return { file: { name, title: name, content }, comment };
}

/** What is in a file, in words: `12 of 37 hits (critical)`, and beside it whatever is no hit. */
function contentsOf(
  { view, counts: { all }, noun, passed = [] }: ResultModel,
  hits: readonly ShownHit[],
): string {
  const unstated = hits.filter(({ hit }) => hit.match === 'unstated').length;
  const known = hits.length - unstated - passed.length;
  const total = counted(all, noun === 'check' ? 'passed check' : 'hit');
  return [
    known === all ? total : `${known} of ${total}${partOf(view)}`,
    ...(passed.length > 0 ? [counted(passed.length, 'passed check')] : []),
    ...(unstated > 0 ? [unstatedCount({ unstated })] : []),
  ].join(', ');
}

/** Which hits are in the file: ` (critical)` or ` (cleared)`. */
function partOf({ filter = {}, show }: View): string {
  const words = show ?? filterWords(filter);
  return words === '' ? '' : ` (${words})`;
}

function sourceOf({ view, answers, comparison }: ResultModel): Source {
  const { before, question } = view;
  const snapshot =
    before === undefined ? question.snapshotId : `${before.snapshotId} → ${question.snapshotId}`;
  return { isComparison: comparison !== undefined, snapshot, device: hardwareOf(answers.result) };
}

/** Characters that not every system allows in a file name. */
const NOT_IN_A_NAME = /[^A-Za-z0-9.]+/g;
const LONGEST_PART = 40;

/** `snapshot-26808463-edge-7.example.com-hits-critical-2026-11-20`: which device, what of it, and when it was read. */
function nameOf({ view, answers }: ResultModel, choice: ExportChoice): string {
  const { question, before, filter = {}, show, search } = view;
  const side = question.set === 'miss' ? 'passed-checks' : 'hits';
  const kind = search === undefined ? side : 'search';
  const part = choice === 'all-csv' ? '' : (show ?? filterWords(filter));
  const device = hostOf(answers.result.device) || answers.result.device.chassisSerial;
  const date = new Date(answers.readAt).toISOString().slice(0, 10);
  const parts =
    before === undefined
      ? ['snapshot', question.snapshotId, device, kind, part, date]
      : ['snapshots', before.snapshotId, question.snapshotId, device, 'compared', part, date];
  return parts
    .map((text) => text.replace(NOT_IN_A_NAME, '-').slice(0, LONGEST_PART))
    .filter((text) => text !== '' && text !== '-')
    .join('-');
}

function titleFor(view: ViewState, { result }: Answers): string {
  return view.before === undefined ? titleOf(view.question, result) : `Snapshots ${bothIds(view)}`;
}

function aboutOf(model: ResultModel, some: string): string[] {
  const { answers, comparison } = model;
  const { result, readAt } = answers;
  const read = `In this file: ${some}. Read ${utcText(readAt)}.`;
  if (comparison === undefined) {
    const { bold, plain } = summaryOf(model);
    const said =
      answers.found === undefined ? [`${bold}${plain}`] : [...verdictLines(model), searchLine(model)];
    return [deviceLine(result), sha1Line(result), ...said, countDoubt(model.counts.checks), read];
  }
  const compared = { ...model, comparison };
  const counts = `${changeCounts(compared)} — ${bothTotals(compared)}`;
  return [...deviceLines(answers), counts, ...comparisonDoubts(model), read];
}

function sha1Line({ sha1 }: Answers['result']): string {
  return sha1 === '' ? '' : `SHA-1 of the snapshot: ${sha1}`;
}
