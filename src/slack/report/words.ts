import { type Diagnostic, type DiagnosticsResult, hostOf } from '../../core/diagnostics.ts';
import type { Filter } from '../../core/importance.ts';
import { type Asked, idsText, questionsOf } from '../../core/lookup.ts';
import { lazily } from '../../core/time.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { shortHost } from '../blocks/modal.ts';

/** `1 hit`, `12 hits` */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `12 new`; '' for none. */
export function some({ length }: readonly unknown[], what: string): string {
  return length === 0 ? '' : `${count(length)} ${what}`;
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

/** The parts that are not empty, with `between` between them. */
export function joined(between: string, ...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(between);
}

/** `1010, 1011 and 1012` */
export function listed(texts: readonly string[]): string {
  return joined(' and ', texts.slice(0, -1).join(', '), texts.at(-1));
}

/** `with CVEs`, of a filter; '' without one. */
export function cveWords({ cve }: Filter): string {
  return cve === undefined ? '' : `with ${cve === 'with' ? '' : 'known exploited '}CVEs`;
}

/** A text at the beginning of a sentence. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** What was asked for, inside a sentence: `snapshot 26808463`, or `the comparison of snapshots 1010 and 1011`. */
export function subjectOf(asked: Asked): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  if (ids.length === 1) return `snapshot ${ids.join()}`;
  return `the ${asked.before === undefined ? 'group' : 'comparison'} of snapshots ${listed(ids)}`;
}

/** `Snapshot 26808463 of edge-7.example.com`, `Snapshots 1010 → 1011 of edge-10` or `Snapshots 1014, 1015`. */
export function titleOf(asked: Asked, result?: DiagnosticsResult): string {
  const host = result === undefined || asked.others !== undefined ? '' : hostOf(result.device);
  const plural = questionsOf(asked).length === 1 ? '' : 's';
  return joined(' of ', `Snapshot${plural} ${idsText(asked)}`, host);
}

/** What people call the device: the name of its host, or else its serial number; or ''. */
export function nameOf({ device }: Pick<DiagnosticsResult, 'device'>): string {
  return shorten(hostOf(device) || device.chassisSerial, LIMITS.name);
}

/** `nameOf`, with the host without its domain. */
export function shortNameOf(result: Pick<DiagnosticsResult, 'device'>): string {
  return shortHost(nameOf(result));
}

/** The action of most diagnostics: it only says to read the article, as its button does. */
const BOILERPLATE =
  /^(?:for (?:more|additional|further) information,? (?:please )?(?:refer to|see) the (?:linked|related|following) (?:article|solution)s?)\.?$/i;

/** The action of a diagnostic; '' if it is boilerplate. */
export function statedAction({ action }: Pick<Diagnostic, 'action'>): string {
  return BOILERPLATE.test(action.trim()) ? '' : action;
}
