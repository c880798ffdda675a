import {
  type Diagnostic,
  type DiagnosticSet,
  type DiagnosticsResult,
  hostOf,
  type StatedCounts,
} from '../../core/diagnostics.ts';
import {
  type CheckCounts,
  type countByLevel,
  countChecks,
  type Level,
  levelOf,
  listsWholeSide,
} from '../../core/importance.ts';
import { type Asked, questionsOf } from '../../core/lookup.ts';
import { lazily } from '../../core/time.ts';
import { shorten } from '../blocks/limits.ts';

/** `1 hit`, `12 hits`: a count that a person can say aloud. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

const numbers = lazily(() => new Intl.NumberFormat('en-US'));

/** `1,234` */
export function count(number: number): string {
  return number < 1_000 ? String(number) : numbers().format(number);
}

/** The parts that say something, with this between them. */
export function joined(between: string, ...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(between);
}

/** A shape for each known rank: importance is a word and a shape, never a colour alone. */
const SHAPES = ['◆', '▲', '●', '○'];
const OTHER_SHAPE = '□';

/** The importance of a diagnostic as it is shown: `◆ Critical`. */
export function importanceOf(diagnostic: Pick<Diagnostic, 'importance'>): string {
  const { rank, word } = levelOf(diagnostic);
  return `${SHAPES[rank] ?? OTHER_SHAPE} ${word}`;
}

/** What is said of a hit if the document does not state whether it is one. */
const NOT_STATED = 'match not stated';

/** What stands before a title in a text: the level of a hit; of a passed check the level says nothing. */
export function ratingOf(diagnostic: Diagnostic): string {
  return diagnostic.match === 'hit' ? joined(', ', levelOf(diagnostic).word, noteOf(diagnostic)) : 'Passed';
}

/** What is said beside the importance of a hit that the document does not state to be one; or ''. */
export function noteOf({ isMatchUnstated }: Pick<Diagnostic, 'isMatchUnstated'>): string {
  return isMatchUnstated ? NOT_STATED : '';
}

/** `3 with match not stated`; or '' where each diagnostic states it. */
export function unstatedCount({ unstated }: Pick<CheckCounts, 'unstated'>): string {
  return unstated === 0 ? '' : `${count(unstated)} with ${NOT_STATED}`;
}

/** `37 hits`, `210 passed checks`, `3 with match not stated`: each as far as there is something to say of it. */
export function tally(counts: StatedCounts & Pick<CheckCounts, 'unstated'>): string[] {
  const { hits, misses } = counts;
  const said = [
    hits === undefined ? '' : counted(hits, 'hit'),
    misses === undefined ? '' : counted(misses, 'passed check'),
    unstatedCount(counts),
  ];
  return said.filter((each) => each !== '');
}

const and = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** `1010, 1011 and 1012` */
export function listed(texts: readonly string[]): string {
  return and().format(texts).replace(', and ', ' and ');
}

/**
 * What was asked for, inside a sentence: `snapshot 26808463`, `the comparison of snapshots 1010 and 1011`, or `the group
 * of snapshots 1010, 1011 and 1012`.
 */
export function subjectOf({ question, others, before }: Asked): string {
  if (others !== undefined)
    return `the group of snapshots ${listed([question, ...others].map(({ snapshotId }) => snapshotId))}`;
  if (before === undefined) return `snapshot ${question.snapshotId}`;
  return `the comparison of snapshots ${before.snapshotId} and ${question.snapshotId}`;
}

/** `snapshot 26808463`, or of a comparison `one of the snapshots 1010 and 1011`. */
export function eitherOf({ question, before }: Pick<Asked, 'question' | 'before'>): string {
  const id = question.snapshotId;
  return before === undefined ? `snapshot ${id}` : `one of the snapshots ${before.snapshotId} and ${id}`;
}

/** A text at the beginning of a sentence. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** `Snapshot 26808463 · edge-7.example.com`, `Snapshots 1010 → 1011` or `Snapshots 1014, 1015`. */
export function titleOf(asked: Asked, result?: DiagnosticsResult): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  if (ids.length > 1) return `Snapshots ${ids.join(asked.before === undefined ? ', ' : ' → ')}`;
  const host = result === undefined ? '' : hostOf(result.device);
  return joined(' · ', `Snapshot ${ids.join()}`, host);
}

/** `C117 · chs777 · Product 17.1.3 (Point Release 3, build 240216)`, as much of it as is known; or ''. */
export function deviceLine(result: DiagnosticsResult): string {
  const { platform, chassisSerial } = result.device;
  return joined(' · ', platform, chassisSerial, releaseOf(result));
}

/** `edge-7.example.com · C117 · chs777`, as much of it as is known; or ''. */
export function hardwareOf({ device }: Pick<DiagnosticsResult, 'device'>): string {
  return joined(' · ', hostOf(device), device.platform, device.chassisSerial);
}

const LONGEST_NAME = 60;

/** What people call the device: the name of its host, or else its serial number; or ''. */
export function nameOf({ device }: Pick<DiagnosticsResult, 'device'>): string {
  return shorten(hostOf(device) || device.chassisSerial, LONGEST_NAME);
}

/** `Product 17.1.3 (Point Release 3, build 240216)`, as much of it as is known; or ''. */
export function releaseOf({ software }: Pick<DiagnosticsResult, 'software'>): string {
  const details = joined(', ', software.edition, software.built !== '' && `build ${software.built}`);
  return joined(' ', software.product, software.version, details !== '' && `(${details})`);
}

type Resulting = { readonly result: Pick<DiagnosticsResult, 'software'> };

/** The version that runs, with its edition, such as a point release, where others run another one of that version. */
export function versionOf({ result: { software } }: Resulting, units: readonly Resulting[]): string {
  const { version, edition } = software;
  const isOther = units.some(
    ({ result: { software: other } }) =>
      other.version === version && other.edition !== edition && other.edition !== '' && edition !== '',
  );
  return isOther ? `${version} ${edition}`.trim() : version;
}

const LONGEST_LEVEL = 24;

/** A known level reads as a word of the sentence, an unknown one as it stands. */
export function wordInCounts({ key, rank, word }: Level): string {
  const isOurWord = rank < SHAPES.length || key === '';
  return isOurWord ? word.toLowerCase() : shorten(word, LONGEST_LEVEL);
}

const MOST_LEVELS = 2;

/** `2 critical`, `11 high`: the most important levels of these hits. */
export function topLevels(levels: ReturnType<typeof countByLevel>): string[] {
  return levels
    .slice(0, MOST_LEVELS)
    .map(({ level, count: size }) => `${count(size)} ${wordInCounts(level)}`);
}

/** What the service says that it counted, where that is not what it sent; or ''. */
export function countDoubt({ listed, stated, unstated, isDisputed }: CheckCounts): string {
  if (!isDisputed) return '';
  return `The service counts ${statedWords(stated)} but sent ${tally({ ...listed, unstated }).join(' and ')}.`;
}

/** Why a document may not list all of a side; or ''. */
export function unlistedDoubt(result: DiagnosticsResult, set: DiagnosticSet): string {
  if (listsWholeSide(result, set)) return '';
  return countDoubt(countChecks(result, set)) || 'No checks are listed.';
}

/** `37 hits in 247 checks`, or the one side that the service states. */
function statedWords({ hits, misses }: StatedCounts): string {
  if (hits === undefined) return counted(misses ?? 0, 'passed check');
  const checks = misses === undefined ? '' : ` in ${counted(hits + misses, 'check')}`;
  return `${counted(hits, 'hit')}${checks}`;
}

/** What most actions say: to read the article, which its button says already. */
const BOILERPLATE =
  /^(?:for (?:more|additional|further) information,? (?:please )?(?:refer to|see) the (?:linked|related|following) (?:article|solution)s?)\.?$/i;

/** The action of a diagnostic where it says something, else ''. */
export function actionOf({ action }: { readonly action: string }): string {
  return BOILERPLATE.test(action.trim()) ? '' : action;
}

/** The evidence as one text, its blocks apart: by an empty line where any of them has several lines itself. */
export function evidenceText(output: readonly string[]): string {
  const isLong = output.some((block) => block.includes('\n'));
  return output.join(isLong ? '\n\n' : '\n');
}
