import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { type Filter, filtered, groupOf, LEVEL_GROUPS, type LevelGroup } from '../../core/filtering.ts';
import { levelOf } from '../../core/importance.ts';
import { type Choice, select } from '../blocks.ts';
import { filterValue } from '../button-values.ts';
import { shorten } from '../limits.ts';
import { filterWords } from './filter-words.ts';
import { count, importanceOf } from './wording.ts';

export const FILTER_ACTION = 'filter';

const GRAVE: readonly LevelGroup[] = ['critical', 'high'];
const LONGEST_LEVEL = 40;

/** The menu that shows some of the hits. Each choice says how many hits there are to see once it is taken. */
export function filterSelect(hits: readonly Diagnostic[], filter: Filter): types.StaticSelect | undefined {
  if (hits.length < 2) return undefined;
  const words = filterWords(filter);
  const offer = (label: string, choice: Filter): Choice => ({
    label: `${label} (${count(filtered(hits, choice).length)})`,
    value: filterValue(choice),
  });
  return select(words === '' ? 'Filter hits' : `Filter: ${words}`, FILTER_ACTION, [
    { name: 'No filter', choices: [offer('All hits', {})] },
    { name: 'Importance', choices: levelChoices(hits, filter, offer) },
    { name: 'CVEs', choices: cveChoices(hits, filter, offer) },
  ]);
}

type Offer = (label: string, choice: Filter) => Choice;

function levelChoices(hits: readonly Diagnostic[], { cve, levels }: Filter, offer: Offer): Choice[] {
  const kept = cve === undefined ? {} : { cve };
  const there = LEVEL_GROUPS.filter((group) => hits.some((hit) => groupOf(hit) === group));
  const single = there.map((group) => offer(labelOf(group, hits), { ...kept, levels: [group] }));
  const isMixed = GRAVE.every((group) => there.includes(group)) && there.length > GRAVE.length;
  return [
    ...(cve !== undefined && levels !== undefined ? [offer('Any importance', kept)] : []),
    ...(isMixed ? [offer('Critical and high', { ...kept, levels: GRAVE })] : []),
    ...single,
  ];
}

function cveChoices(hits: readonly Diagnostic[], { cve, levels }: Filter, offer: Offer): Choice[] {
  const kept = levels === undefined ? {} : { levels };
  if (!hits.some(({ cveIds }) => cveIds.length > 0)) return [];
  return [
    offer('With CVEs', { ...kept, cve: 'with' }),
    offer('Without CVEs', { ...kept, cve: 'without' }),
    ...(cve !== undefined && levels !== undefined ? [offer('With or without CVEs', kept)] : []),
  ];
}

/** A level that is not known reads as it stands, as long as it is the only one. */
function labelOf(group: LevelGroup, hits: readonly Diagnostic[]): string {
  const members = hits.filter((hit) => groupOf(hit) === group);
  const [first] = members;
  const isOne = first !== undefined && members.every((hit) => levelOf(hit).key === levelOf(first).key);
  return isOne ? shorten(importanceOf(first), LONGEST_LEVEL) : 'Other importance';
}
