import { type Diagnostic, type DiagnosticsResult, hostOf } from '../../core/diagnostics.ts';
import type { Filter } from '../../core/importance.ts';
import { type Asked, idsText, questionsOf } from '../../core/lookup.ts';
import { lazily } from '../../core/time.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { shortHost } from '../blocks/modal.ts';

/** A number with its noun, such as `1 hit` or `12 hits`. */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** The size of a list with a word, such as `12 new`; '' for an empty list. */
export function some({ length }: readonly unknown[], what: string): string {
  return length === 0 ? '' : `${count(length)} ${what}`;
}

/** A label such as `All 12 hits`, or `The only hit` for 1. */
export function allOf(number: number, noun: string): string {
  return number === 1 ? `The only ${noun}` : `All ${counted(number, noun)}`;
}

const numbers = lazily(() => new Intl.NumberFormat('en-US'));

/** A number with thousands separators, such as `1,234`. */
export function count(number: number): string {
  return number < 1_000 ? String(number) : numbers().format(number);
}

/** Joins the parts that are not empty. */
export function joined(between: string, ...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(between);
}

/** A list in a sentence, such as `1010, 1011 and 1012`. */
export function listed(texts: readonly string[]): string {
  return joined(' and ', texts.slice(0, -1).join(', '), texts.at(-1));
}

/** The CVE part of a filter in words, such as `with CVEs`; '' if it has none. */
export function cveWords({ cve }: Filter): string {
  return cve === undefined ? '' : `with ${cve === 'with' ? '' : 'known exploited '}CVEs`;
}

/** The text with its first letter in upper case. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The request inside a sentence, such as `snapshot 26808463` or `the comparison of snapshots 1010 and 1011`. */
export function subjectOf(asked: Asked): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  if (ids.length === 1) return `snapshot ${ids.join()}`;
  return `the ${asked.before === undefined ? 'group' : 'comparison'} of snapshots ${listed(ids)}`;
}

/** The title of a message, such as `Snapshot 26808463 of edge-7.example.com` or `Snapshots 1010 → 1011 of edge-10`. */
export function titleOf(asked: Asked, result?: DiagnosticsResult): string {
  const host = result === undefined || asked.others !== undefined ? '' : hostOf(result.device);
  const plural = questionsOf(asked).length === 1 ? '' : 's';
  return joined(' of ', `Snapshot${plural} ${idsText(asked)}`, host);
}

/** The name of a device for people: its host name, else its serial number, which may be ''. */
export function nameOf({ device }: Pick<DiagnosticsResult, 'device'>): string {
  return shorten(hostOf(device) || device.chassisSerial, LIMITS.name);
}

/** The name of a device, without the domain of a host. */
export function shortNameOf(result: Pick<DiagnosticsResult, 'device'>): string {
  return shortHost(nameOf(result));
}

/** Matches the usual action of a diagnostic, which only refers to the linked article. */
const BOILERPLATE =
  /^(?:for (?:more|additional|further) information,? (?:please )?(?:refer to|see) the (?:linked|related|following) (?:article|solution)s?)\.?$/i;

/** The action of a diagnostic; '' if it is boilerplate. */
export function statedAction({ action }: Pick<Diagnostic, 'action'>): string {
  return BOILERPLATE.test(action.trim()) ? '' : action;
}
