import { type Filter, isOpen, type LevelGroup } from '../../../core/importance.ts';
import { lazily } from '../../../core/single-flight.ts';
import type { ResultModel } from '../model/result-model.ts';
import { count, counted, unstatedCount } from './wording.ts';

const ADJECTIVES: Record<LevelGroup, string> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  other: 'otherwise rated',
  unrated: 'unrated',
};
const and = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** `critical and high hits with CVEs`, for so many of them. */
function hitsOf({ levels = [], cve }: Filter, noun: string): string {
  const adjectives = and().format(levels.map((level) => ADJECTIVES[level]));
  return [adjectives, noun, cve === undefined ? '' : `${cve} CVEs`].filter(Boolean).join(' ');
}

/** `critical, with CVEs`; or '' for a filter that lets everything through. */
export function filterWords({ levels = [], cve }: Filter): string {
  const adjectives = and().format(levels.map((level) => ADJECTIVES[level]));
  return [adjectives, cve === undefined ? '' : `${cve} CVEs`].filter(Boolean).join(', ');
}

/** How many hits a filter shows and hides, and how many that may be hits; or '' where it does neither. */
export function filterLine({ view, noun, all, shown, counts }: ResultModel): string {
  const { filter = {} } = view;
  const { hidden } = counts;
  const unstated = unstatedCount({ unstated: all.length - shown.length - hidden });
  if (noun === 'check' || isOpen(filter) || (counts.all === 0 && unstated === '')) return '';
  if (counts.shown === 0) {
    return `There are no ${hitsOf(filter, 'hits')} among these: the filter hides ${both(allOf(hidden), unstated)}`;
  }
  const others = both(hidden === 0 ? '' : counted(hidden, 'other'), unstated) || 'none';
  return `Showing ${count(counts.shown)} ${hitsOf(filter, counts.shown === 1 ? 'hit' : 'hits')}, ${others} hidden`;
}

function allOf(hidden: number): string {
  return hidden === 0 ? '' : hidden === 1 ? 'the only one' : `all ${count(hidden)}`;
}

function both(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' and ');
}
