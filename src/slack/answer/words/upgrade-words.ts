import type { Diagnostic } from '../../../core/diagnostics.ts';
import { levelOf } from '../../../core/importance.ts';
import type { Upgrade, Upgrades } from '../../../core/upgrading.ts';
import { shorten } from '../../block-kit/limits.ts';
import { count, counted } from './wording.ts';

const LONGEST_VERSION = 30;

/** `fixes 12 of 37 hits (1 critical)` */
export function fixesOf({ fixed }: Upgrade, { hits }: Upgrades): string {
  const critical = fixed.filter(isCritical).length;
  const worst = critical === 0 ? '' : ` (${count(critical)} critical)`;
  return `fixes ${count(fixed.length)} of ${counted(hits.length, 'hit')}${worst}`;
}

/** `9 name no fixed version`, or ''. */
export function unnamedOf({ unnamed }: Upgrades): string {
  return unnamed.length === 0
    ? ''
    : `${count(unnamed.length)} ${unnamed.length === 1 ? 'names' : 'name'} no fixed version`;
}

const MOST_UNORDERED = 5;

/** `Not known to be later than the release that runs, so not recommended: 17.1.?.4.`, or ''. */
export function unorderedOf({ unordered }: Upgrades): string {
  if (unordered.length === 0) return '';
  const named = unordered.slice(0, MOST_UNORDERED).map((version) => shorten(version, LONGEST_VERSION));
  const more = unordered.length > named.length ? ` and ${count(unordered.length - named.length)} more` : '';
  return `Not known to be later than the release that runs, so not recommended: ${named.join(', ')}${more}.`;
}

/** `17.1.4 fixes 20 of 37 hits, both critical ones`, for the recommended release; or ''. */
export function upgradeLine({ recommended, hits }: Upgrades): string {
  if (recommended === undefined) return '';
  const { fixed } = recommended;
  const of = `${versionText(recommended)} fixes ${count(fixed.length)} of ${counted(hits.length, 'hit')}`;
  const [critical, all] = [fixed.filter(isCritical).length, hits.filter(isCritical).length];
  return critical === 0 ? of : `${of}, ${criticalOnes(critical, all)}`;
}

function criticalOnes(fixed: number, all: number): string {
  if (fixed < all) return `${count(fixed)} of ${count(all)} critical ones`;
  return all === 1
    ? 'the critical one'
    : all === 2
      ? 'both critical ones'
      : `all ${count(all)} critical ones`;
}

/** The version as the service writes it; a text that only looks like one can be long. */
export function versionText({ version }: Upgrade): string {
  return shorten(version, LONGEST_VERSION);
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}
