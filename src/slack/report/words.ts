import { type Diagnostic, type DiagnosticsResult, hostOf } from '../../core/diagnostics.ts';
import { type Filter, passedIn } from '../../core/importance.ts';
import { type Asked, questionsOf } from '../../core/lookup.ts';
import { lazily } from '../../core/time.ts';
import { shorten } from '../blocks/limits.ts';

/** `1 hit`, `12 hits` */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `All 12 hits`, of one `The only hit` */
export function allOf(number: number, noun: string): string {
  return number === 1 ? `The only ${noun}` : `All ${counted(number, noun)}`;
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

const and = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** `1010, 1011 and 1012` */
export function listed(texts: readonly string[]): string {
  return and().format(texts).replace(', and ', ' and ');
}

/** `with CVEs`, of a filter; '' without one. */
export function cveWords({ cve }: Filter): string {
  return cve === undefined ? '' : cve === 'exploited' ? 'with known exploited CVEs' : `${cve} CVEs`;
}

/** In place of hits that are exploited: no good news from what was not compared. */
export const NO_CATALOGUE =
  'Which CVEs are exploited is not known here: the bot’s operator has given it no catalogue';

/** A text at the beginning of a sentence. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
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

/** `Snapshot 26808463 of edge-7.example.com`, `Snapshots 1010 → 1011 of edge-10` or `Snapshots 1014, 1015`. */
export function titleOf(asked: Asked, result?: DiagnosticsResult): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  const of = result === undefined || asked.others !== undefined ? '' : hostOf(result.device);
  const host = of === '' ? '' : ` of ${of}`;
  if (ids.length === 1) return `Snapshot ${ids.join()}${host}`;
  return `Snapshots ${ids.join(asked.before === undefined ? ', ' : ' → ')}${host}`;
}

/** `Product 17.1.3 Point Release 3, build 240216`, as much of it as is known; or ''. */
export function releaseOf({ software }: Pick<DiagnosticsResult, 'software'>): string {
  const release = joined(' ', software.product, software.version, software.edition);
  return joined(', ', release, software.built !== '' && `build ${software.built}`);
}

const LONGEST_NAME = 60;

/** What people call the device: the name of its host, or else its serial number; or ''. */
export function nameOf({ device }: Pick<DiagnosticsResult, 'device'>): string {
  return shorten(hostOf(device) || device.chassisSerial, LONGEST_NAME);
}

/** What most actions say: to read the article, which its button says already. */
const BOILERPLATE =
  /^(?:for (?:more|additional|further) information,? (?:please )?(?:refer to|see) the (?:linked|related|following) (?:article|solution)s?)\.?$/i;

/** The action of a diagnostic where it says something, else ''. */
export function statedAction({ action }: Pick<Diagnostic, 'action'>): string {
  return BOILERPLATE.test(action.trim()) ? '' : action;
}

/** The evidence as one text, its blocks apart: by an empty line where any of them has several lines itself. */
export function evidenceText(output: readonly string[]): string {
  const isLong = output.some((block) => block.includes('\n'));
  return output.join(isLong ? '\n\n' : '\n');
}

/** What is said of hits that a later analysis does not list: some services send only hits, whatever is asked. */
export function unlistedWord(later: DiagnosticsResult): string {
  return passedIn(later).size > 0 ? 'no longer checked' : 'no longer listed';
}
