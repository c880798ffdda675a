import { sideOf } from '../../core/counting.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { isOpen, levelOf } from '../../core/importance.ts';
import { type Upgrade, type Upgrades, upgradesOf } from '../../core/upgrading.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { shorten } from '../block-kit/limits.ts';
import type { ResultModel } from './result-model.ts';
import { namedUnits, united } from './rows.ts';
import { count, counted, releaseOf, versionOf } from './wording.ts';

const LONGEST_VERSION = 30;

/** What an upgrade fixes, or ''. Not for whoever filters: that person has read it. */
export function upgradeOf({ answers: { result }, view: { filter = {}, question } }: ResultModel): string {
  const upgrades = question.set === 'miss' || !isOpen(filter) ? undefined : upgradesOf(result);
  return upgrades?.recommended === undefined ? '' : fixesLine(upgrades.recommended, upgrades);
}

/** The releases that run, each with its name, where there are several snapshots, and what upgrades would fix of its hits. */
export function releasesIn({ result, units }: Answers) {
  if (units === undefined) return [{ label: '', upgrades: upgradesOf(result) }];
  const ready = namedUnits(units).flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  return [...Map.groupBy(ready, (unit) => releaseOf(unit.result)).values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const diagnostics = united(members.map((member) => sideOf(member.result, 'hit'))).map(({ hit }) => hit);
    const label = [versionOf(first, ready), members.map(({ name }) => name).join(', ')]
      .filter(Boolean)
      .join(': ');
    return [{ label, upgrades: upgradesOf({ ...first.result, diagnostics }) }];
  });
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
