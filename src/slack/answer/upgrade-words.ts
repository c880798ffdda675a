import type { Diagnostic } from '../../core/diagnostics.ts';
import { isOpen, levelOf } from '../../core/importance.ts';
import { type Upgrade, type Upgrades, upgradesOf } from '../../core/upgrading.ts';
import { shorten } from '../block-kit/limits.ts';
import type { ResultModel } from './result-model.ts';
import { count, counted } from './wording.ts';

const LONGEST_VERSION = 30;

/** What an upgrade fixes, or ''. Not for whoever filters: that person has read it. */
export function upgradeOf({ answers: { result }, view: { filter = {}, question } }: ResultModel): string {
  const upgrades = question.set === 'miss' || !isOpen(filter) ? undefined : upgradesOf(result);
  return upgrades?.recommended === undefined ? '' : fixesLine(upgrades.recommended, upgrades);
}

/** `17.1.4 fixes 20 of 37 hits, both critical ones` */
export function fixesLine(upgrade: Upgrade, { hits }: Pick<Upgrades, 'hits'>): string {
  const { fixed } = upgrade;
  const of = `${versionText(upgrade)} fixes ${count(fixed.length)} of ${counted(hits.length, 'hit')}`;
  const [critical, all] = [fixed.filter(isCritical).length, hits.filter(isCritical).length];
  return all === 0 ? of : `${of}, ${criticalOnes(critical, all)}`;
}

function criticalOnes(fixed: number, all: number): string {
  if (fixed === 0) return all === 1 ? 'not the critical one' : 'no critical one';
  if (fixed < all) return `${count(fixed)} of ${count(all)} critical`;
  return all === 1
    ? 'the critical one'
    : all === 2
      ? 'both critical ones'
      : `all ${count(all)} critical ones`;
}

/** The version as the service writes it; a text that only looks like one can be long. */
export function versionText({ version }: Pick<Upgrade, 'version'>): string {
  return shorten(version, LONGEST_VERSION);
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}
