import { hostOf } from '../../../core/device-identity.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { filterWords } from '../../answer/filter.ts';
import { contentsOf, reportHead } from '../../answer/report.ts';
import { modelOf, type ResultModel } from '../../answer/result-model.ts';
import { verdictLines } from '../../answer/search-words.ts';
import { hardwareOf, subjectOf } from '../../answer/wording.ts';
import type { ViewState } from '../../block-kit/action-values.ts';
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
      ? markdownOf([...reportHead(model, hits), sha1Line(answers)], { ...model, shown: hits })
      : csvOf(hits, sourceOf(model));
  const name = `${nameOf(model, choice)}.${extension}`;
  const comment = [`${some} of ${subjectOf(view)}`, ...verdictLines(model).map(inert)].join('\n');
  return { file: { name, title: name, content }, comment };
}

function sourceOf({ view, answers, about, units }: ResultModel): Source {
  const { before, question } = view;
  const snapshot =
    before === undefined ? question.snapshotId : `${before.snapshotId} → ${question.snapshotId}`;
  return { units, isComparison: about === 'changes', snapshot, device: hardwareOf(answers.result) };
}

/** Characters that not every system allows in a file name. */
const NOT_IN_A_NAME = /[^A-Za-z0-9.]+/g;
const LONGEST_PART = 40;

/** `snapshot-26808463-edge-7.example.com-hits-critical-2026-11-20`: which device, what of it, and when it was read. */
function nameOf({ view, answers }: ResultModel, choice: ExportChoice): string {
  const { question, others = [], before, filter = {}, show, search } = view;
  const side = question.set === 'miss' ? 'passed-checks' : 'hits';
  const kind = search === undefined ? side : 'search';
  const part = choice === 'all-csv' ? '' : (show ?? filterWords(filter));
  const device = hostOf(answers.result.device) || answers.result.device.chassisSerial;
  const date = new Date(answers.readAt).toISOString().slice(0, 10);
  const group = others.map(({ snapshotId }) => snapshotId);
  const names =
    group.length === 0
      ? ['snapshot', question.snapshotId, device]
      : ['snapshots', question.snapshotId, ...group];
  const parts =
    before === undefined
      ? [...names, kind, part, date]
      : ['snapshots', before.snapshotId, question.snapshotId, device, 'compared', part, date];
  return parts
    .map((text) => text.replace(NOT_IN_A_NAME, '-').slice(0, LONGEST_PART))
    .filter((text) => text !== '' && text !== '-')
    .join('-');
}

function sha1Line({ before, units, result: { sha1 } }: Answers): string {
  return sha1 === '' || before !== undefined || units !== undefined ? '' : `SHA-1 of the snapshot: ${sha1}`;
}
