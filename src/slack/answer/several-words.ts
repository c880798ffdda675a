import { countByLevel, countChecks, sideOf } from '../../core/importance.ts';
import type { ReadyUnit } from '../../lookups/lookup-status.ts';
import { shorten } from '../blocks/limits.ts';
import { BRIEF } from './fault-sentences.ts';
import { filterLine } from './filter.ts';
import { brief, type Line, linesOf, NARROW_PHONE } from './fitting.ts';
import { everyOne, ownersOf } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { findings, longListLine } from './result-words.ts';
import { isReady, type NamedUnit, type ShownHit } from './rows.ts';
import { outcomeOf, searchVerdict, unseenIn } from './search-words.ts';
import { changeWords, countsOf, isNews } from './since.ts';
import { capital, count, counted, joined, topLevels, versionOf, wordInCounts } from './wording.ts';

/** The verdict, a line for each snapshot, and why they differ; without a model where none has a result. */
export function severalLines(units: readonly NamedUnit[], model: ResultModel | undefined): Line[] {
  return [
    ...verdictOf(units, model).map((text) => ({ text, isBold: true })),
    ...(model ? [longListLine(model)] : []),
    ...units.map((unit) => unitLine(unit, model, units)),
    ...differences(units).map((text) => ({ text })),
    { text: model?.view.search === undefined ? '' : unseenIn(units) },
    ...(model ? [filterLine(model)] : []),
  ];
}

/** The answer in one line: what all share, and what only some have. Of a search a line for each id. */
function verdictOf(units: readonly NamedUnit[], model: ResultModel | undefined): string[] {
  const accepted = model?.counts.accepted ?? 0;
  const lines = model?.view.search === undefined ? [sharedOf(units, model)] : searchVerdict(units, model);
  const end = accepted === 0 ? '' : `; ${count(accepted)} accepted`;
  return lines.map((line, at) => (at === lines.length - 1 ? `${line}${end}` : line));
}

function sharedOf(units: readonly NamedUnit[], model: ResultModel | undefined): string {
  const ready = units.filter(isReady);
  const [first] = ready;
  if (model === undefined || first === undefined)
    return `No result ${units.some(({ kind }) => kind === 'open') ? 'yet ' : ''}for these ${count(units.length)} snapshots`;
  const { all, noun } = model;
  if (ready.length === 1) return `${counted(all.length, noun)} on ${first.name}, the only one with a result`;
  const everyone = everyOne(units);
  const isSure = ready.every(({ doubt }) => doubt === '');
  if (all.length === 0)
    return noun === 'hit' && isSure
      ? `✓ No known issues found on ${everyone}`
      : `No ${noun}s are listed on ${everyone}`;
  const some = all.filter(({ kind }) => kind === 'some');
  const shared = all.length - some.length;
  if (shared > 0)
    return [
      `Same ${counted(shared, noun)} on ${everyone}`,
      ...moreOf(some, units, isSure ? 'more on' : 'more listed for'),
    ].join('; ');
  return [
    isSure ? `No ${noun} in common` : `No ${noun} is listed for ${everyone}`,
    ...moreOf(some, units, isSure ? 'only on' : 'listed only for'),
  ].join('; ');
}

/** `2 more on lb-b (1 critical)`, for each where at most two have some alone, else for all that differ. */
function moreOf(some: readonly ShownHit[], units: readonly NamedUnit[], how: string): string[] {
  const grave = (hits: readonly ShownHit[]) => {
    const [top] = countByLevel(hits.map(({ hit }) => hit).filter(({ match }) => match === 'hit'));
    return top !== undefined && top.level.rank < 2 ? ` (${count(top.count)} ${wordInCounts(top.level)})` : '';
  };
  const byOwners = Map.groupBy(some, (row) => ownersOf(row, units).join('\n'));
  const alone = units.flatMap(({ name }) => {
    const own = byOwners.get(name);
    return own === undefined ? [] : { name, own };
  });
  const isAll = alone.reduce((sum, { own }) => sum + own.length, 0) === some.length;
  return isAll && alone.length <= 2
    ? alone.map(({ name, own }) => `${count(own.length)} ${how} ${name}${grave(own)}`)
    : [`${count(some.length)} on only some${grave(some)}`];
}

/** Why the lists differ, beside the devices: other releases, other numbers of checks, documents that don't list everything. */
function differences(units: readonly NamedUnit[]): string[] {
  const ready = units.filter(isReady);
  const common = commonRelease(units);
  const isOther = new Set(ready.map((unit) => versionOf(unit, ready)).filter(Boolean)).size > 1;
  const checks = new Set(
    ready.flatMap(({ result, question }) => countChecks(result, question.set).checks ?? []),
  );
  const numbers = [...checks].sort((one, other) => one - other).map(count);
  const what = [...(isOther ? ['releases'] : []), ...(checks.size > 1 ? ['checks'] : [])];
  const how = checks.size > 1 ? ` (${numbers.join(', ')})` : '';
  return [
    common === '' ? '' : `Same release: ${common}`,
    ...(what.length > 0 ? [`${capital(what.join(' and '))} differ${how}`] : []),
    ...ready
      .filter(({ doubt }) => doubt !== '')
      .map(({ name, doubt }) => `${name}: ${doubt} It may have the hits of the others, too.`),
  ];
}

/** The release of many, where they have one in common, which is then said once; or ''. */
function commonRelease(units: readonly NamedUnit[]): string {
  const ready = units.filter(isReady);
  const [release = '', ...others] = new Set(ready.map((unit) => versionOf(unit, ready)));
  return units.length > FEW && others.length === 0 ? release : '';
}

const LONGEST_STATE = 120;
/** Of more than these, each has one line; of these, what changed since the device was last read has room too. */
const FEW = 4;

/** One snapshot in one line: what it is, how it stands with it, and what changed since the last time. */
function unitLine(unit: NamedUnit, model: ResultModel | undefined, units: readonly NamedUnit[]): Line {
  const text = unitText(unit, model, units);
  const report = `${unit.question.snapshotId}: ${text}`;
  if (units.length > FEW) return { text: inOneLine(unit, model, units), beside: text, report };
  const last = isReady(unit) && model?.view.search === undefined ? unit.lastRead : undefined;
  if (last?.found === undefined || last.isNewer || !isNews(last.found)) return { text, report };
  const changed = changeWords(countsOf(last.found));
  return { text: `${text} · ${changed} since ${last.question.snapshotId}`, beside: text, report };
}

const LONGEST_END = 12;

/**
 * Of many, with the id, for which the header has no room. A release that is said of all once is left out; else it gives
 * way to what was found, as the next line says that releases differ; then the name's beginning.
 */
function inOneLine(unit: NamedUnit, model: ResultModel | undefined, units: readonly NamedUnit[]): string {
  const id = unit.question.snapshotId;
  const by = (name: string) => ({ ...unit, name: name === id ? id : `${name} (${id})` });
  const among = commonRelease(units) === '' ? units : [];
  const texts = [
    unitText(by(unit.name), model, among),
    unitText(by(unit.name), model, []),
    unitText(by(`…${[...unit.name].slice(-LONGEST_END).join('')}`), model, []),
    unitText({ ...unit, name: id }, model, []),
  ];
  const { line } = NARROW_PHONE;
  return brief(texts.find((text) => linesOf(text, line) === 1) ?? texts.at(-1) ?? '', 1, line);
}

/** `among`: those that its release is told apart from; of none it is left out. */
function unitText(unit: NamedUnit, model: ResultModel | undefined, among: readonly NamedUnit[]): string {
  if (!isReady(unit)) return shorten(`${unit.name} · ${stateOf(unit)}`, LONGEST_STATE);
  const outcome = model?.view.search === undefined ? undefined : outcomeOf(unit, model);
  const release = among.length === 0 ? '' : versionOf(unit, among.filter(isReady));
  return joined(' · ', unit.name, release, outcome ?? findingsOf(unit, model));
}

/** `2 critical · 11 high` */
function findingsOf({ result, question }: ReadyUnit, model: ResultModel | undefined): string {
  const set = model?.view.side ?? question.set;
  const { isDisputed } = countChecks(result, set);
  const levels = countByLevel(sideOf(result, 'hit'));
  return set === 'miss' || isDisputed || levels.length === 0
    ? findings({ ...question, set }, result)
    : topLevels(levels).join(' · ');
}

/** How it stands with a snapshot that has no result. */
function stateOf(unit: Exclude<NamedUnit, { kind: 'ready' }>): string {
  if (unit.kind === 'failed') return `⚠ ${BRIEF[unit.why]}`;
  if (unit.kind === 'broken') return `⚠ a bug in the bot, reference ${unit.reference}`;
  const trouble = unit.trouble === undefined ? '' : BRIEF[unit.trouble];
  const state = unit.isProcessing ? 'still being processed' : 'no answer yet';
  return joined(': ', state, unit.reason, trouble);
}
