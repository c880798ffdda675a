import type { Diagnostic } from '../../../core/diagnostics.ts';
import { levelOf } from '../../../core/importance.ts';
import type { Upgrade, Upgrades } from '../../../core/upgrading.ts';
import { shorten } from '../../block-kit/limits.ts';
import { count, counted } from './wording.ts';

export const LONGEST_VERSION = 30;

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

export function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}
