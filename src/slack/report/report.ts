import type { types } from '@slack/bolt';
import { acceptanceOf } from '../../core/comparing.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import {
  countChecks,
  type Filter,
  isExploited,
  isOpen,
  passes,
  showsNoHits,
  sideOf,
} from '../../core/importance.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import { upgradeOf } from '../../core/upgrading.ts';
import type { Answers, LastRead } from '../../lookups/lookup-status.ts';
import { button, day, type RichElement, smallText, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Body, MOST_NAMED, moreLine, namedFirst, wholeSize } from './body.ts';
import { ALL_ACTION, CHECKS_ACTION } from './controls.ts';
import type { Row } from './hit.ts';
import { countsLine, graveCounts, groupWord, isCritical, levelCounts } from './levels.ts';
import {
  allOf,
  count,
  counted,
  cveWords,
  joined,
  listed,
  NO_CATALOGUE,
  nameOf,
  releaseOf,
  titleOf,
  unlistedWord,
} from './words.ts';

const BOLD = { bold: true };

/** The report of one snapshot, or of the part of it that was asked for. */
export function reportBody(view: Asked, answers: Answers): Body {
  const { filter = {}, question } = view;
  if (question.set === 'miss') return checksBody(view, answers);
  if (!isOpen(filter)) return filteredBody(view, filter, answers);
  return sideOf(answers.result, 'hit').length === 0 ? emptyBody(view, answers) : wholeBody(view, answers);
}

/** The hits of a result, most important first: the open ones, and those that are accepted for its device. */
export function rowsIn(question: Question, { result, accepted }: Pick<Answers, 'result' | 'accepted'>) {
  const rows = sideOf(result, 'hit').map(
    (hit): Row => ({ hit, question, result, accepted: acceptanceOf(hit, accepted) }),
  );
  return {
    open: rows.filter((row) => row.accepted === undefined),
    accepted: rows.filter((row) => row.accepted !== undefined),
  };
}

/** What every message of one snapshot has: its title and its device. */
export function about(view: Asked, result: DiagnosticsResult): Pick<Body, 'title' | 'facts'> {
  const device = deviceLine(result);
  return { title: titleOf(view, result), facts: device === '' ? [] : [smallText(device)] };
}

/** So many named hits fit a screen: the verdict is not said again below them. */
const FEW = 5;

/** The list of a message of one snapshot, `named` of it, and once more its verdict. */
export function oneList(
  { question }: Asked,
  result: DiagnosticsResult,
  rows: readonly Row[],
  named: readonly Row[],
  closing: (unnamed: readonly Row[]) => string,
): Pick<Body, 'groups' | 'named' | 'whole' | 'verdict'> {
  const [name = ''] = nameOf(result).split('.');
  const said = `${joined(' of ', question.snapshotId, name)}: ${graveCounts(rows.map(({ hit }) => hit))}`;
  const verdict = named.length > FEW ? said : undefined;
  return { groups: [{ rows, closing }], named, whole: wholeSize(rows), verdict };
}

const NO_LIST = { groups: [], named: [], whole: 0 } as const;

function wholeBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { open, accepted } = rowsIn(view.question, answers);
  const hits = open.map(({ hit }) => hit);
  const size = open.length + accepted.length;
  const exploited = hits.filter(isExploited).length;
  const known = exploited > 0 && `${count(exploited)} known exploited`;
  const { misses } = countChecks(result, view.question.set);
  const total = totalOf(view, result);
  const acceptedCount = accepted.length > 0 && `${count(accepted.length)} accepted`;
  const passed = misses ? `And ${counted(misses, 'passed check')}` : '';
  return {
    ...about(view, result),
    lines: [
      [...countsLine(hits), ...(acceptedCount ? [words(`  ${acceptedCount}`)] : [])],
      ...(known ? [[words('⚠\u00a0'), words(known, BOLD)]] : []),
      [words(total)],
      ...doubtLine(view, result),
      ...upgradeLine(result, open),
      ...sinceLine(answers),
    ],
    summary: `${joined(', ', levelCounts(hits), known, acceptedCount)} (${total})`,
    ...oneList(view, result, open, namedFirst(open), (unnamed) => moreLine(unnamed) || passed),
    accepted,
    buttons: size === 1 ? checksButton(view, result) : allButton(result),
    canBeOwned: true,
  };
}

/** A document without hits: that there are none is only said where it shows that. */
function emptyBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { misses } = countChecks(result, view.question.set);
  const isClear = showsNoHits(result, view.question.set);
  const clear = misses ? `No hits: all ${counted(misses, 'check')} passed` : 'No hits';
  return {
    ...about(view, result),
    lines: [
      goodNews(isClear, isClear ? clear : 'No checks are listed.'),
      ...doubtLine(view, result),
      ...sinceLine(answers),
    ],
    ...NO_LIST,
    buttons: checksButton(view, result),
  };
}

/** The passed checks are counted, and the window lists them. */
function checksBody(view: Asked, { result }: Answers): Body {
  const { hits, misses = 0, checks } = countChecks(result, view.question.set);
  const all = misses === checks ? 'All ' : '';
  const said = misses === 0 ? 'No passed checks are listed' : `${all}${counted(misses, 'check')} passed`;
  return {
    ...about(view, result),
    lines: [
      goodNews(misses > 0, said),
      ...(hits ? [[words(`Not listed here: ${counted(hits, 'hit')}`)]] : []),
      ...doubtLine(view, result),
    ],
    ...NO_LIST,
    buttons: checksButton(view, result),
  };
}

function goodNews(isGood: boolean, said: string): RichElement[] {
  return [...(isGood ? [words('✅\u00a0')] : []), words(said, BOLD)];
}

/** `2 critical of 37 hits`, and below what else there is. */
function filteredBody(view: Asked, filter: Filter, answers: Answers): Body {
  const { result } = answers;
  const { open, accepted } = rowsIn(view.question, answers);
  const isShown = ({ hit }: Row) => passes(hit, filter);
  const shown = open.filter(isShown);
  const others = open.filter((row) => !isShown(row));
  const cves = cveWords(filter) && ` ${cveWords(filter)}`;
  const all = counted(sideOf(result, 'hit').length, 'hit');
  const levels = listed((filter.levels ?? []).map(groupWord)).replace(' and ', ' or ');
  const hits = shown.map(({ hit }) => hit);
  const isUnknown = filter.cve === 'exploited' && result.exploitedAsOf === undefined;
  const none = isUnknown ? NO_CATALOGUE : `No ${joined(' ', levels, `hits${cves}`)}`;
  const rest = shown.length === 0 ? ` in ${all}` : `${cves} of ${all}`;
  const named = shown.slice(0, MOST_NAMED);
  return {
    ...about(view, result),
    lines: [[...(shown.length === 0 ? [words(none, BOLD)] : countsLine(hits)), words(rest)]],
    summary: `${levelCounts(hits) || none}${rest}`,
    ...oneList(view, result, shown, named, (unnamed) => moreLine([...unnamed, ...others])),
    accepted: accepted.filter(isShown),
    buttons: allButton(result),
    canBeOwned: true,
  };
}

/** `37 hits in 247 checks` */
function totalOf({ question }: Asked, result: DiagnosticsResult): string {
  const { listed: sent, checks, unstated } = countChecks(result, question.set);
  const hits = counted(sent.hits ?? 0, 'hit');
  const total = checks === undefined ? hits : `${hits} in ${counted(checks, 'check')}`;
  return joined(', ', total, unstated > 0 && `${count(unstated)} with match not stated`);
}

/** `All 37 hits` */
export function allButton(result: DiagnosticsResult): types.Button[] {
  const { length } = sideOf(result, 'hit');
  return length === 0 ? [] : [button(allOf(length, 'hit'), ALL_ACTION)];
}

/** `All 247 checks`, where the document lists some that passed. */
function checksButton({ question }: Asked, result: DiagnosticsResult): types.Button[] {
  const { length } = sideOf(result, 'miss');
  const { checks } = countChecks(result, question.set);
  const label = checks === undefined ? counted(length, 'passed check') : allOf(checks, 'check');
  return length === 0 ? [] : [button(label, CHECKS_ACTION)];
}

/** What the service counts, where that is not what it sent. */
export function doubtLine({ question }: Pick<Asked, 'question'>, result: DiagnosticsResult): RichElement[][] {
  const { stated, listed: sent, isDisputed } = countChecks(result, question.set);
  if (!isDisputed) return [];
  const said = ({ hits, misses }: { hits?: number | undefined; misses?: number | undefined }) =>
    joined(
      ' and ',
      hits !== undefined && counted(hits, 'hit'),
      misses !== undefined && counted(misses, 'passed check'),
    );
  return [[words(`The service counts ${said(stated)}, but sent ${said(sent)}.`)]];
}

const LONGEST_VERSION = 30;

/** `→ Upgrade to 17.1.3.4: fixes 11 hits, 1 of 2 critical`, of the hits that are not accepted. */
function upgradeLine(result: DiagnosticsResult, open: readonly Row[]): RichElement[][] {
  const hits = open.map(({ hit }) => hit);
  const upgrade = upgradeOf({ ...result, diagnostics: hits });
  if (upgrade === undefined) return [];
  const [fixed, critical] = [upgrade.fixed.filter(isCritical).length, hits.filter(isCritical).length];
  const grave = critical > 0 && `${count(fixed)} of ${count(critical)} critical`;
  const fixes = joined(', ', `: fixes ${counted(upgrade.fixed.length, 'hit')}`, grave);
  return [
    [words('→ '), words(`Upgrade to ${shorten(upgrade.version, LONGEST_VERSION)}`, BOLD), words(fixes)],
  ];
}

const LONGEST_HOST = 60;
const NO_LAST = 'No other snapshot of this device was looked up here recently: nothing to compare with.';

/** `Since 1000 (Tuesday): 1 new (high), 20 cleared`, of the last result of the same device. */
function sinceLine({ result, lastRead: last, hasNoLast }: Answers): RichElement[][] {
  if (last === undefined) return hasNoLast ? [[words(NO_LAST)]] : [];
  const { question, host = '', isNewer, isOtherHost } = last;
  const id = question.snapshotId;
  const changes = isOtherHost ? [] : changesOf(last, result);
  const begin = isOtherHost
    ? `Other host of this chassis: ${shorten(host, LONGEST_HOST)}, ${id}`
    : isNewer
      ? id
      : `${changes.length === 0 ? 'Earlier snapshot of this device:' : 'Since'} ${id}`;
  const end = `)${isNewer && !isOtherHost ? ' is newer' : ''}${changes.length > 0 ? ': ' : ''}`;
  return [[words(`${begin} (`), day(last.at), words(end), ...changes]];
}

/** `1 new (high), 20 cleared`; nothing where that is not known. */
function changesOf({ found }: LastRead, result: DiagnosticsResult): RichElement[] {
  if (found === undefined) return [];
  const [top = ''] = levelCounts(found.new.map(({ hit }) => hit)).split(', ');
  const grave = found.new.length === 1 ? top.replace(/^1 /, '') : top;
  const rest = joined(
    ', ',
    found.cleared.length > 0 && `${count(found.cleared.length)} cleared`,
    found.changed.length > 0 && `${count(found.changed.length)} rated differently`,
    found.unlisted.length > 0 && `${count(found.unlisted.length)} ${unlistedWord(result)}`,
  );
  if (found.new.length === 0) return [words(rest || 'nothing new')];
  return [words(`${count(found.new.length)} new`, BOLD), words(joined(', ', ` (${grave})`, rest))];
}

const LONGEST_DEVICE_LINE = 200;

/** `Product 17.1.3 Point Release 3, build 240216 · C117 · serial chs600777s`, as much of it as is known; or ''. */
function deviceLine(result: DiagnosticsResult): string {
  const { platform, chassisSerial } = result.device;
  const serial = chassisSerial !== '' && `serial ${chassisSerial}`;
  return shorten(joined(' · ', releaseOf(result), platform, serial), LONGEST_DEVICE_LINE);
}
