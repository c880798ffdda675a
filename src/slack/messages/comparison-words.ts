import type { Change, Comparison } from '../../core/comparing.ts';
import type { Device } from '../../core/diagnostics.ts';
import type { View } from '../button-values.ts';
import type { Answers, ShownHit } from '../shown-hits.ts';
import { count, counted, hardwareOf, importanceOf, releaseOf } from './wording.ts';

/** `1010 → 1011` */
export function bothIds({ before, question }: View): string {
  return `${before?.snapshotId ?? ''} → ${question.snapshotId}`;
}

const COUNTED: Record<Change, string> = {
  new: 'new',
  changed: 'changed importance',
  cleared: 'cleared',
  unchanged: 'unchanged',
};

/** `3 new · 2 changed importance · 20 cleared · 8 unchanged`, all that there are. */
export function changeCounts(comparison: Comparison<unknown>): string {
  const said = sizes(comparison)
    .filter(([, size]) => size > 0)
    .map(([change, size]) => `${count(size)} ${COUNTED[change]}`);
  if (said.length === 0) return '✓ No hits in either snapshot';
  return comparison.new.length > 0 ? said.join(' · ') : `Nothing new · ${said.join(' · ')}`;
}

/** `30 hits before, 13 after`; or '' where there are none. */
export function bothTotals({ new: added, changed, cleared, unchanged }: Comparison<unknown>): string {
  const kept = changed.length + unchanged.length;
  if (kept + cleared.length + added.length === 0) return '';
  return `${counted(kept + cleared.length, 'hit')} before, ${count(kept + added.length)} after`;
}

/** What the message does not list, whatever it shows; or ''. */
export function unlisted(comparison: Comparison<unknown>, show: Change | undefined): string {
  if (show === undefined) return comparison.unchanged.length === 0 ? '' : 'unchanged hits are not listed';
  const all = sizes(comparison).reduce((sum, [, size]) => sum + size, 0);
  const shown = comparison[show].length;
  return `showing ${count(shown)} ${COUNTED[show]}, ${counted(all - shown, 'other')} hidden`;
}

const ORDER: readonly Change[] = ['new', 'changed', 'cleared', 'unchanged'];

function sizes(comparison: Comparison<unknown>): [Change, number][] {
  return ORDER.map((change) => [change, comparison[change].length]);
}

/** What stands above the hits of one kind. */
export function sectionTitle(change: Change, size: number, { before, question }: View): string {
  const titles: Record<Change, string> = {
    new: `+ New in ${question.snapshotId}`,
    changed: '± Another importance',
    cleared: `✓ Cleared: in ${before?.snapshotId ?? ''} only`,
    unchanged: '= Unchanged',
  };
  return `${titles[change]} (${count(size)})`;
}

/**
 * Both devices and versions, and whether they are the same: another device or version is compared all the same, but
 * it changes what "cleared" means.
 */
export function deviceLines({ result, before }: Answers): string[] {
  if (before === undefined) return [];
  const [was, is] = [releaseOf(before.result), releaseOf(result)];
  if (isOtherDevice(before.result.device, result.device)) {
    return [
      was === is ? 'Two devices, on the same version' : 'Two devices, on different versions',
      `Before: ${known(hardwareOf(before.result), was)}`,
      `After: ${known(hardwareOf(result), is)}`,
    ];
  }
  const hardware = hardwareOf(result);
  const versions = was === is ? is && `The same version: ${is}` : `${known(was)} → ${known(is)}`;
  return [hardware && `The same device: ${hardware}`, versions].filter((line) => line !== '');
}

function known(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' · ') || 'unknown';
}

/** By its serial number, or else by whatever is known of it. */
function isOtherDevice(one: Device, other: Device): boolean {
  if (one.chassisSerial !== '' && other.chassisSerial !== '')
    return one.chassisSerial !== other.chassisSerial;
  return one.hostname !== other.hostname || one.platform !== other.platform;
}

/** What became of one hit of a comparison; or ''. */
export function becameOf({ change, was }: ShownHit, { before, question }: View): string {
  switch (change) {
    case 'new':
      return `New in snapshot ${question.snapshotId}`;
    case 'changed':
      return was === undefined ? '' : `Before: ${importanceOf(was)}`;
    case 'cleared':
      return `Cleared: in snapshot ${before?.snapshotId ?? ''} only`;
    case 'unchanged':
      return 'Unchanged';
    default:
      return '';
  }
}
