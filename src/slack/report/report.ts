import type { types } from '@slack/bolt';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countChecks, type Filter, passes, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { upgradeOf } from '../../core/upgrading.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { button, day, plainOf, type RichElement, smallText, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Body, MOST_NAMED, namedFirst, type Section, wholeSize } from './body.ts';
import { ALL_ACTION, CHECKS_ACTION } from './controls.ts';
import type { Row } from './hit.ts';
import { countsLine, exploitedLine, graveCounts, groupWord, isCritical, levelCounts } from './levels.ts';
import { rowsOf } from './rows.ts';
import {
  allOf,
  count,
  counted,
  cveWords,
  joined,
  NO_CATALOGUE,
  shortNameOf,
  titleOf,
  unlistedWord,
} from './words.ts';

const BOLD = { bold: true };

/** The report of one snapshot, or of the part of it that was asked for. */
export function reportBody(view: Asked, answers: Answers): Body {
  const isOfChecks = view.question.set === 'miss';
  if (view.filter !== undefined && !isOfChecks) return filteredBody(view, view.filter, answers);
  const hasHits = sideOf(answers.result, 'hit').length > 0;
  return hasHits && !isOfChecks ? wholeBody(view, answers) : checksBody(view, answers);
}

const LONGEST_DEVICE_LINE = 200;

/** What every message of one snapshot has: its title and its device, as much of it as is known. */
export function about(view: Asked, result: DiagnosticsResult): Pick<Body, 'title' | 'facts'> {
  const { platform, chassisSerial } = result.device;
  const { product, version, edition, built } = result.software;
  const release = joined(', ', joined(' ', product, version, edition), built && `build ${built}`);
  const line = joined(' · ', release, platform, chassisSerial && `serial ${chassisSerial}`);
  return {
    title: titleOf(view, result),
    facts: line === '' ? [] : [smallText(shorten(line, LONGEST_DEVICE_LINE))],
  };
}

/** So many named hits fit a screen: the verdict is not said again below them. */
const FEW = 5;

/** The list of a message of one snapshot, `named` of it, and once more its verdict. */
export function oneList(
  { question }: Asked,
  result: DiagnosticsResult,
  { rows, ...rest }: Section,
  named: readonly Row[] = rows.slice(0, MOST_NAMED),
): Pick<Body, 'sections' | 'named' | 'whole' | 'verdict'> {
  const of = joined(' of ', question.snapshotId, shortNameOf(result));
  const verdict = named.length > FEW ? `${of}: ${graveCounts(rows.map(({ hit }) => hit))}` : undefined;
  return { sections: [{ rows, ...rest }], named, whole: wholeSize(rows), verdict };
}

function wholeBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { set } = view.question;
  const { open, accepted } = rowsOf({ ...answers, question: view.question });
  const hits = open.map(({ hit }) => hit);
  const { listed, misses, checks, unstated } = countChecks(result, set);
  const exploited = exploitedLine(hits);
  const left = accepted.length > 0 && `${count(accepted.length)} accepted`;
  const all = joined(
    ' in ',
    counted(listed.hits ?? 0, 'hit'),
    checks !== undefined && counted(checks, 'check'),
  );
  const total = joined(', ', all, unstated > 0 && `${count(unstated)} with match not stated`);
  return {
    ...about(view, result),
    lines: [
      [...countsLine(hits), ...(left ? [words(`  ${left}`)] : [])],
      ...exploited,
      [words(total)],
      ...doubtLine(view, result),
      ...upgradeLine(result, open),
      ...sinceLine(answers),
    ],
    summary: `${joined(', ', levelCounts(hits), plainOf(exploited), left)} (${total})`,
    ...oneList(
      view,
      result,
      { rows: open, end: misses ? `And ${counted(misses, 'passed check')}` : '' },
      namedFirst(open),
    ),
    accepted,
    buttons: open.length + accepted.length === 1 ? checksButton(view, result) : allButton(result),
    canBeOwned: true,
  };
}

/** Where no hits are listed, or passed checks are asked for: these are counted, and the window lists them. */
function checksBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { set } = view.question;
  const { hits, misses = 0, checks } = countChecks(result, set);
  const isOfChecks = set === 'miss';
  // That there are no hits is only said where the document shows that.
  const isGood = isOfChecks ? misses > 0 : showsNoHits(result, set);
  const all = `${isOfChecks ? 'All' : 'No hits: all'} ${counted(misses, 'check')} passed`;
  const some = `${counted(misses, 'check')} passed`;
  const none = isGood ? 'No hits' : isOfChecks ? 'No passed checks are listed' : 'No checks are listed.';
  const said = !isGood || misses === 0 ? none : isOfChecks && misses !== checks ? some : all;
  return {
    ...about(view, result),
    lines: [
      [...(isGood ? [words('✅\u00a0')] : []), words(said, BOLD)],
      ...(isOfChecks && hits ? [[words(`Not listed here: ${counted(hits, 'hit')}`)]] : []),
      ...doubtLine(view, result),
      ...(isOfChecks ? [] : sinceLine(answers)),
    ],
    ...{ sections: [], named: [], whole: 0 },
    buttons: checksButton(view, result),
  };
}

/** `2 critical of 37 hits`, and below what else there is. */
function filteredBody(view: Asked, filter: Filter, answers: Answers): Body {
  const { result } = answers;
  const { open, accepted } = rowsOf({ ...answers, question: view.question });
  const isShown = ({ hit }: Row) => passes(hit, filter);
  const rows = open.filter(isShown);
  const hits = rows.map(({ hit }) => hit);
  const cves = cveWords(filter) && ` ${cveWords(filter)}`;
  const all = counted(open.length + accepted.length, 'hit');
  const levels = (filter.levels ?? []).map(groupWord).join(' or ');
  const isUnknown = filter.cve === 'exploited' && result.exploitedAsOf === undefined;
  const none = isUnknown ? NO_CATALOGUE : `No ${joined(' ', levels, `hits${cves}`)}`;
  const rest = rows.length === 0 ? ` in ${all}` : `${cves} of ${all}`;
  return {
    ...about(view, result),
    lines: [[...(rows.length === 0 ? [words(none, BOLD)] : countsLine(hits)), words(rest)]],
    summary: `${levelCounts(hits) || none}${rest}`,
    ...oneList(view, result, { rows, others: open.filter((row) => !isShown(row)) }),
    accepted: accepted.filter(isShown),
    buttons: allButton(result),
    canBeOwned: true,
  };
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
  const { stated, listed, isDisputed } = countChecks(result, question.set);
  const said = ({ hits, misses }: typeof stated) =>
    joined(
      ' and ',
      hits !== undefined && counted(hits, 'hit'),
      misses !== undefined && counted(misses, 'passed check'),
    );
  return isDisputed ? [[words(`The service counts ${said(stated)}, but sent ${said(listed)}.`)]] : [];
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

const NO_LAST = 'No other snapshot of this device was looked up here recently: nothing to compare with.';

/** `Since 1000 (Tuesday): 1 new (high), 20 cleared`, of the last result of the same device, or that there is one. */
function sinceLine({ result, lastRead: last, hasNoLast }: Answers): RichElement[][] {
  if (last === undefined) return hasNoLast ? [[words(NO_LAST)]] : [];
  const { question, at, found, isNewer, isOtherHost } = last;
  const id = question.snapshotId;
  if (found === undefined) {
    const which = isOtherHost
      ? 'Other host of this chassis'
      : `${isNewer ? 'Newer' : 'Earlier'} snapshot of this device`;
    return [[words(`${which}: ${id} (`), day(at), words(')')]];
  }
  const [top = ''] = levelCounts(found.new.map(({ hit }) => hit)).split(', ');
  const grave = found.new.length === 1 ? top.replace(/^1 /, '') : top;
  const rest = joined(
    ', ',
    found.cleared.length > 0 && `${count(found.cleared.length)} cleared`,
    found.changed.length > 0 && `${count(found.changed.length)} rated differently`,
    found.unlisted.length > 0 && `${count(found.unlisted.length)} ${unlistedWord(result)}`,
  );
  const fresh =
    found.new.length === 0
      ? [words(rest || 'nothing new')]
      : [words(`${count(found.new.length)} new`, BOLD), words(joined(', ', ` (${grave})`, rest))];
  return [[words(`Since ${id} (`), day(at), words('): '), ...fresh]];
}
