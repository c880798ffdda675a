import { type Filter, isOpen, type LevelGroup } from '../../../core/filtering.ts';
import { lazily } from '../../../core/lazily.ts';
import type { ResultModel } from '../model/result-model.ts';
import { count, counted } from './wording.ts';

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

/** How many hits a filter shows and hides; or '' where it does neither. */
export function filterLine({ view, noun, counts: { all, shown, hidden } }: ResultModel): string {
  const { filter = {} } = view;
  if (noun === 'check' || isOpen(filter) || all === 0) return '';
  if (shown === 0) return `There are no ${hitsOf(filter, 'hits')}: the filter hides ${allOf(hidden)}`;
  const others = hidden === 0 ? 'none hidden' : `${counted(hidden, 'other')} hidden`;
  return `Showing ${count(shown)} ${hitsOf(filter, shown === 1 ? 'hit' : 'hits')}, ${others}`;
}

function allOf(hidden: number): string {
  return hidden === 1 ? 'the only one' : `all ${count(hidden)}`;
}
