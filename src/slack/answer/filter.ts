import type { types } from '@slack/bolt';
import { CHANGES, SHARES } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import {
  type Filter,
  groupOf,
  isOpen,
  LEVEL_GROUPS,
  type LevelGroup,
  levelOf,
} from '../../core/importance.ts';
import { lazily } from '../../core/time.ts';
import { filterValue } from '../blocks/action-values.ts';
import { type Choice, select } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import type { Line } from './fitting.ts';
import { kindLabel } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { isThrough, type ShownHit } from './rows.ts';
import { count, counted, importanceOf, joined } from './wording.ts';

export const FILTER_ACTION = 'filter';
export const SHOW_ACTION = 'show';

const GRAVE: readonly LevelGroup[] = ['critical', 'high'];
const LONGEST_LEVEL = 40;

/** The menus that show a part of what a view is about. */
export function selectsOf(model: ResultModel) {
  const { about, noun } = model;
  return [showSelect(model), about !== 'changes' && noun === 'hit' ? filterSelect(model) : undefined];
}

/** The menu that shows some of the hits. Each choice says how many hits there are to see once it is taken. */
function filterSelect({ all, view }: ResultModel): types.StaticSelect | undefined {
  const rows = all.filter(({ hit }) => hit.match === 'hit');
  // Each as every one of several snapshots rates it.
  const hits = rows.flatMap(({ hit, cells = [hit] }) => cells.filter((cell) => cell !== undefined));
  const hasCves = rows.some(({ hit }) => hit.cveIds.length > 0);
  const { filter = {} } = view;
  if (rows.length < 2) return undefined;
  const words = filterWords(filter);
  const offer = (label: string, choice: Filter): Choice => ({
    label: `${label} (${count(rows.filter((row) => isThrough(row, choice)).length)}${alsoFiltered(label, choice)})`,
    value: filterValue(choice),
  });
  return select(words === '' ? 'Filter' : `Filter: ${words}`, FILTER_ACTION, [
    { name: 'No filter', choices: [offer('All hits', {})] },
    { name: 'Importance', choices: levelChoices(hits, filter, offer) },
    { name: 'CVEs', choices: hasCves ? cveChoices(filter, offer) : [] },
  ]);
}

/** The words for the other part of the filter, which stays, where the label does not name it. */
function alsoFiltered(label: string, { levels, cve }: Filter): string {
  if (label.includes('CVEs')) return levels === undefined ? '' : ` ${filterWords({ levels })}`;
  return cve === undefined ? '' : ` ${cve} CVEs`;
}

type Offer = (label: string, choice: Filter) => Choice;

function levelChoices(hits: readonly Diagnostic[], { cve, levels }: Filter, offer: Offer): Choice[] {
  const others = cve === undefined ? {} : { cve };
  const groups = Map.groupBy(hits, groupOf);
  const there = LEVEL_GROUPS.filter((group) => groups.has(group));
  const single = there.map((group) =>
    offer(labelOf(groups.get(group) ?? []), { ...others, levels: [group] }),
  );
  const isMixed = GRAVE.every((group) => there.includes(group)) && there.length > GRAVE.length;
  return [
    ...(cve !== undefined && levels !== undefined ? [offer('Any importance', others)] : []),
    ...(isMixed ? [offer('Critical and high', { ...others, levels: GRAVE })] : []),
    ...single,
  ];
}

function cveChoices({ cve, levels }: Filter, offer: Offer): Choice[] {
  const others = levels === undefined ? {} : { levels };
  const isBoth = cve !== undefined && levels !== undefined;
  return [
    // What is shown already may stand among the importances, and no two choices may have one value.
    ...(isBoth && cve === 'with' ? [] : [offer('With CVEs', { ...others, cve: 'with' })]),
    ...(isBoth && cve === 'without' ? [] : [offer('Without CVEs', { ...others, cve: 'without' })]),
    ...(isBoth ? [offer('With or without CVEs', others)] : []),
  ];
}

/** A level that is not known reads as it stands, as long as it is the only one. */
function labelOf(members: readonly Diagnostic[]): string {
  const [first] = members;
  const isOne = first !== undefined && members.every((hit) => levelOf(hit).key === levelOf(first).key);
  return isOne ? shorten(importanceOf(first), LONGEST_LEVEL) : 'Other importance';
}

const ADJECTIVES: Record<LevelGroup, string> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  other: 'otherwise rated',
  unrated: 'unrated',
};
const and = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** `critical, with CVEs`, or of a noun `critical and high hits with CVEs`; '' for a filter that lets everything through. */
export function filterWords({ levels = [], cve }: Filter, noun = ''): string {
  const adjectives = and().format(levels.map((level) => ADJECTIVES[level]));
  return joined(noun === '' ? ', ' : ' ', adjectives, noun, cve && `${cve} CVEs`);
}

/** How many hits a filter shows and hides; or '' where it does neither. */
export function filterLine({ view, noun, counts }: ResultModel): Line {
  const { filter = {} } = view;
  const { hidden } = counts;
  if (noun === 'check' || isOpen(filter) || counts.all === 0) return { text: '' };
  if (counts.shown === 0) {
    const those = hidden === 1 ? 'the only one' : `all ${count(hidden)}`;
    return {
      text: `There are no ${filterWords(filter, 'hits')} among these: the filter hides ${those}`,
      report: '',
    };
  }
  const hits = filterWords(filter, counts.shown === 1 ? 'hit' : 'hits');
  const others = hidden > 0 ? counted(hidden, 'other') : 'none';
  return { text: `Showing ${count(counts.shown)} ${hits}, ${others} hidden`, report: '' };
}

/** Lists one kind of what a comparison or several snapshots have, or everything again; undefined where that is no choice. */
function showSelect(model: ResultModel): types.StaticSelect | undefined {
  const { about, all, view } = model;
  if (about !== 'changes' && about !== 'several') return undefined;
  const isOfChanges = about === 'changes';
  const offer = (value: string, label: string, those: readonly ShownHit[]) => ({
    value,
    label: `${label} (${count(those.length)})`,
  });
  const kinds = (isOfChanges ? CHANGES : SHARES)
    .map((kind) => ({ kind, name: kindLabel(kind, model), those: all.filter((row) => row.kind === kind) }))
    .filter(({ kind, those }) => those.length > 0 || kind === view.show);
  if (kinds.length < (isOfChanges ? 1 : 2)) return undefined;
  const changes = all.filter(({ kind }) => kind !== 'unchanged');
  const everything = isOfChanges
    ? offer('changes', 'All changes', changes)
    : offer('everything', 'All of them', all);
  const shown = kinds.find(({ kind }) => kind === view.show)?.name.toLowerCase();
  const choices = [everything, ...kinds.map(({ kind, name, those }) => offer(kind, name, those))];
  return select(shown === undefined ? 'Show' : `Show: ${shown}`, SHOW_ACTION, [{ name: 'Show', choices }]);
}
