import type { Change } from '../../../core/comparing.ts';
import { hostOf, serialOf } from '../../../core/device-identity.ts';
import type { Diagnostic, DiagnosticsResult } from '../../../core/diagnostics.ts';
import type { Verdict } from '../../../core/searching.ts';
import { oneLine } from '../../../core/texts.ts';
import { comparisonDoubts, deviceLines } from '../../answer/comparison-words.ts';
import type { ResultModel, ShownHit } from '../../answer/result-model.ts';
import { readPart } from '../../answer/search-message.ts';
import { webAddress } from '../../answer/solutions.ts';
import { hitCounts } from '../../answer/summary.ts';
import { HIT_FIELDS } from '../../answer/whole-hit.ts';
import {
  count,
  countDoubt,
  counted,
  NOT_STATED,
  ratingOf,
  releaseOf,
  subjectOf,
  unstatedCount,
} from '../../answer/wording.ts';
import type { Export } from '../../front/send-file.ts';

const CHANGES: Record<Change, string> = {
  new: 'New',
  changed: 'Rated differently than before',
  cleared: 'No longer found',
  unchanged: 'Found as before',
};
const VERDICTS: Record<Exclude<Verdict['outcome'], 'absent'>, string> = {
  hit: 'found',
  unstated: NOT_STATED,
  passed: 'checked, not found',
  mentioned: 'only mentioned',
  perhaps: 'not written out, only its number',
};
/** The word for cleared hits if the later analysis does not list all its hits. */
const NOT_LISTED = 'No longer listed';

/** The whole text, or only the links to the articles. */
export const CASE_TEXTS = ['all', 'links'] as const;
export type CaseText = (typeof CASE_TEXTS)[number];

/** Either text as a file. */
export function caseFile(model: ResultModel, which: CaseText): Export {
  const [kind, what] = which === 'all' ? ['case', 'Text for the case'] : ['articles', 'The articles'];
  const name = `${kind}-${model.view.question.snapshotId}.txt`;
  const file = { name, title: name, content: caseTextOf(model, which) };
  return { file, comment: `${what} of ${subjectOf(model.view)}` };
}

export function caseTextOf(model: ResultModel, which: CaseText): string {
  return which === 'all' ? wholeText(model) : articles(model);
}

/**
 * What is shown of a result, as plain text for the customer: the device, the software, how much was found, and each
 * hit with what to do. Without names and marks that only the service and the bot know.
 */
function wholeText(model: ResultModel): string {
  const { answers, listed } = model;
  const device = [
    labelled('Device', deviceOf(answers.result)),
    labelled('Software', releaseOf(answers.result)),
  ];
  const about = [
    ...(model.comparison === undefined ? device : deviceLines(answers)),
    labelled('Analysis', analysisOf(model)),
    labelled('Searched for', searchedFor(model)),
    ...(model.comparison === undefined ? [] : comparisonDoubts(model)).map((each) => labelled('Note', each)),
  ];
  const hits = listed.map((one, index) => hitText(one, index + 1));
  return `${[about.filter((line) => line !== '').join('\n'), ...hits].join('\n\n')}\n`;
}

/** Every article of what is shown once, in the order in which they appear. */
function articles({ listed }: ResultModel): string {
  const links = new Set(
    listed.flatMap(({ hit }) => hit.solutions.flatMap((each) => webAddress(each)?.href ?? [])),
  );
  return links.size === 0 ? 'No article is linked.\n' : `${[...links].join('\n')}\n`;
}

function deviceOf({ device }: DiagnosticsResult): string {
  const serial = serialOf(device) === undefined ? '' : device.chassisSerial.trim();
  return [
    hostOf(device),
    device.platform === '' ? '' : `platform ${device.platform}`,
    serial === '' ? '' : `serial number ${serial}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function analysisOf(model: ResultModel): string {
  const { view, all, counts, noun, comparison } = model;
  const { snapshotId } = view.question;
  if (comparison !== undefined) {
    const { new: added, cleared } = comparison;
    const gone = all.some(({ isUncertain }) => isUncertain) ? NOT_LISTED : CHANGES.cleared;
    return `snapshots ${view.before?.snapshotId ?? ''} and ${snapshotId}: ${counted(added.length, 'new hit')}, ${count(cleared.length)} ${gone.toLowerCase()}`;
  }
  // The doubt names those whose match is not stated too.
  const doubt = countDoubt(counts.checks) || unstatedCount(counts.checks);
  const said = noun === 'check' ? passedOf(model) : foundOf(model);
  return `snapshot ${snapshotId}: ${[said, doubt].filter((part) => part !== '').join('. ')}`;
}

/** What was searched for, and of each id what the analysis says of it. */
function searchedFor({ view, answers: { found, result } }: ResultModel): string {
  const verdicts = new Map(found?.verdicts.map(({ id, outcome }) => [id, outcome]));
  const terms = view.search?.map((term) => {
    const outcome = verdicts.get(term);
    if (outcome === undefined) return `“${term}”`;
    return `${term} (${outcome === 'absent' ? `not mentioned in ${readPart(result.readTo)}` : VERDICTS[outcome]})`;
  });
  return terms?.join(', ') ?? '';
}

function passedOf({ counts }: ResultModel): string {
  const { misses = 0 } = counts.checks.listed;
  if (misses === 0) return 'no passed checks are listed';
  const listed = counts.shown === misses ? '' : `; ${counted(counts.shown, 'check')} listed here`;
  return `${counted(misses, 'check')} passed${listed}`;
}

/** An empty list is no good news by itself; the doubt about a count stands beside this. */
function foundOf(model: ResultModel): string {
  const { counts } = model;
  const { hits = 0 } = counts.checks.listed;
  if (counts.isClear) return 'no known issues found';
  if (hits === 0) return counts.checks.isDisputed || counts.checks.unstated > 0 ? '' : 'no checks are listed';
  const listed = counts.shown === hits ? '' : `; ${counted(counts.shown, 'hit')} listed here`;
  return `${counted(hits, 'hit')} (${hitCounts(model).levels.replaceAll(' · ', ', ')})${listed}`;
}

function changeOf({ change, isUncertain }: ShownHit): string {
  if (change === undefined) return '';
  return isUncertain ? NOT_LISTED : CHANGES[change];
}

function hitText(shown: ShownHit, number: number): string {
  const { hit } = shown;
  const level = ratingOf(hit);
  const lines = [
    `${number}. ${level}: ${oneLine(hit.title || hit.summary || hit.name)}`,
    labelled('Change', changeOf(shown)),
    ...HIT_FIELDS.map(({ toDo, text }) => (toDo === undefined ? '' : labelled(toDo, oneLine(text(hit))))),
    ...articlesOf(hit).map((article) => labelled('Article', article)),
  ];
  return lines.filter((line) => line !== '').join('\n   ');
}

/** The addresses of the articles; of one that has none that can be opened, its id. */
function articlesOf({ solutions }: Diagnostic): string[] {
  return solutions
    .map((solution) => webAddress(solution)?.href ?? oneLine(solution.id ?? ''))
    .filter((text) => text !== '');
}

function labelled(label: string, text: string): string {
  return text === '' ? '' : `${label}: ${text}`;
}
