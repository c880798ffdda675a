import type { types } from '@slack/bolt';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countChecks, type Filter, passes, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { upgradeOf } from '../../core/releases.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { type Body, MOST_NAMED, namedFirst, summaryOf } from './body.ts';
import { hitsOf, type Row } from './hit.ts';
import { countsLine, exploitedLine, graveCounts, isCritical, levelCounts, NO_CATALOGUE } from './levels.ts';
import { rowsOf, unlistedWord } from './rows.ts';
import { allOf, capital, count, counted, cveWords, joined, shortNameOf, some, titleOf } from './words.ts';

/** The report of one snapshot, or of the part that was requested. */
export function reportBody(view: Asked, answers: Answers): Body {
  const hasHits = sideOf(answers.result, 'hit').length > 0;
  if (view.question.set === 'miss' || !hasHits) return checksBody(view, answers);
  return view.filter === undefined ? hitsBody(view, answers) : partBody(view, view.filter, answers);
}

const LONGEST_DEVICE_LINE = 200;
/** Up to this many hits fit on one screen, so the message does not repeat the verdict below them. */
const FEW = 5;

/**
 * The parts that all messages about one snapshot share. `named`: the hits that the message names. `others`: hits that
 * it only counts at the end. `said`: the verdict that is repeated below a long message.
 */
export function ofOne(
  view: Asked,
  result: DiagnosticsResult,
  rows: readonly Row[],
  {
    others = [] as readonly Row[],
    end = '',
    named = rows.slice(0, MOST_NAMED),
    said = graveCounts(hitsOf(rows)),
  } = {},
): Pick<Body, 'title' | 'facts' | 'sections' | 'named' | 'verdict'> {
  const device = deviceLine(result);
  const of = joined(' of ', view.question.snapshotId, shortNameOf(result));
  return {
    title: titleOf(view, result),
    facts: ui.present(device && ui.smallPrint(ui.plain(shorten(device, LONGEST_DEVICE_LINE)))),
    sections: [{ rows: [...rows, ...others], end }],
    named,
    verdict: named.length > FEW ? `${of}: ${said}` : '',
  };
}

/** A line such as `Product 17.1.3 Point Release 3, build 240216 · C117 · serial chs600777s`, without unknown parts. */
export function deviceLine({ device: { platform, chassisSerial }, software }: DiagnosticsResult): string {
  const { product, version, edition, built } = software;
  const release = joined(', ', joined(' ', product, version, edition), built && `build ${built}`);
  return joined(' · ', release, platform, chassisSerial && `serial ${chassisSerial}`);
}

function hitsBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { open, accepted } = rowsOf(view, answers);
  const hits = hitsOf(open);
  const { listed, checks, misses, unstated } = countChecks(result, view.question.set);
  const sent = counted(listed.hits ?? 0, 'hit');
  const all = checks === undefined ? sent : `${sent} in ${counted(checks, 'check')}`;
  const total = joined(', ', all, unstated > 0 && `${count(unstated)} with match not stated`);
  const exploited = exploitedLine(hits);
  const left = some(accepted, 'accepted');
  const end = misses ? `And ${counted(misses, 'passed check')}` : '';
  return {
    ...ofOne(view, result, open, { end, named: namedFirst(open) }),
    lines: ui.present(
      countsLine(hits, accepted),
      exploited,
      [ui.words(total)],
      doubtLine(view, result),
      upgradeLine(result, hits),
      sinceLine(answers),
    ),
    summary: `${joined(', ', levelCounts(hits), ui.plainOf(ui.present(exploited)), left)} (${total})`,
    accepted,
    buttons: open.length + accepted.length === 1 ? checksButton(view, result) : allButton(result),
    canBeOwned: true,
  };
}

/** The report of a filter: its hits, below a line such as `2 critical of 37 hits`. */
function partBody(view: Asked, filter: Filter, answers: Answers): Body {
  const { result } = answers;
  const { open, accepted } = rowsOf(view, answers);
  const all = rowsOf({ question: view.question }, answers);
  const others = [...all.open, ...all.accepted].filter(({ hit }) => !passes(hit, filter));
  const hits = hitsOf(open);
  const cves = cveWords(filter) && ` ${cveWords(filter)}`;
  const isUnknown = filter.cve === 'exploited' && result.exploitedAsOf === undefined;
  const none = isUnknown ? NO_CATALOGUE : `No ${joined(' ', filter.levels?.join(' or '), `hits${cves}`)}`;
  const size = counted(sideOf(result, 'hit').length, 'hit');
  const counts = countsLine(hits, accepted);
  const said =
    counts.length > 0
      ? [...counts, ui.words(`${cves} of ${size}`)]
      : [ui.bold(none), ui.words(` (${size} in all)`)];
  const lines = [said];
  return {
    ...ofOne(view, result, open, { others, said: summaryOf({ lines }) }),
    lines,
    accepted,
    buttons: allButton(result),
    canBeOwned: true,
  };
}

/**
 * The report if the analysis lists no hits, or if passed checks were requested. It counts the passed checks; a window
 * lists them.
 */
function checksBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { set } = view.question;
  const { hits = 0, misses = 0, checks } = countChecks(result, set);
  const isOfChecks = set === 'miss';
  const passed = misses > 0 && `${misses === checks ? 'all ' : ''}${counted(misses, 'check')} passed`;
  // Says “No hits” only if the document proves it.
  const noHits = showsNoHits(result, set) && joined(': ', 'No hits', passed);
  const good = isOfChecks ? passed && capital(passed) : noHits;
  const none = isOfChecks ? 'No passed checks are listed' : 'No checks are listed.';
  return {
    ...ofOne(view, result, []),
    lines: ui.present(
      good ? [ui.words('✅\u00a0'), ui.bold(good)] : [ui.bold(none)],
      isOfChecks && hits > 0 && [ui.words(`Not listed here: ${counted(hits, 'hit')}`)],
      doubtLine(view, result),
      !isOfChecks && sinceLine(answers),
    ),
    buttons: checksButton(view, result),
  };
}

/** The button that opens the list of hits, such as `All 37 hits`. */
export function allButton(result: DiagnosticsResult): types.Button[] {
  const { length } = sideOf(result, 'hit');
  return ui.present(length > 0 && ui.button(allOf(length, 'hit'), ACTION.all));
}

/** The button that lists checks, such as `All 247 checks`, or `210 passed checks` if the document has no others. */
function checksButton({ question }: Asked, result: DiagnosticsResult): types.Button[] {
  const { length } = sideOf(result, 'miss');
  const { checks } = countChecks(result, question.set);
  const isPart = checks === undefined || question.set === 'miss';
  const label = isPart ? counted(length, 'passed check') : allOf(checks, 'check');
  return ui.present(length > 0 && ui.button(label, ACTION.checks));
}

/** A warning if the service's own counts differ from what it sent. */
function doubtLine({ question }: Pick<Asked, 'question'>, result: DiagnosticsResult) {
  const { stated, listed, isDisputed } = countChecks(result, question.set);
  const size = (number: number | undefined, noun: string) => number !== undefined && counted(number, noun);
  const said = ({ hits, misses }: typeof stated) =>
    joined(' and ', size(hits, 'hit'), size(misses, 'passed check'));
  return isDisputed && [ui.words(`The service counts ${said(stated)}, but sent ${said(listed)}.`)];
}

/** A line such as `→ Upgrade to 17.1.3.4: fixes 11 hits, 1 of 2 critical`. It does not count accepted hits. */
function upgradeLine(result: DiagnosticsResult, hits: readonly Diagnostic[]): ui.RichElement[] | undefined {
  const upgrade = upgradeOf({ ...result, diagnostics: hits });
  if (upgrade === undefined) return undefined;
  const [fixed, critical] = [upgrade.fixed.filter(isCritical).length, hits.filter(isCritical).length];
  const grave = critical > 0 && `${count(fixed)} of ${count(critical)} critical`;
  const fixes = joined(', ', `: fixes ${counted(upgrade.fixed.length, 'hit')}`, grave);
  return [ui.words('→ '), ui.bold(`Upgrade to ${shorten(upgrade.version, LIMITS.name)}`), ui.words(fixes)];
}

const NO_LAST = 'No other snapshot of this device was looked up here recently: nothing to compare with.';

/** A line such as `Since 1000 (Tuesday): 1 new (high), 20 cleared`, or without the changes if they are unknown. */
function sinceLine({ result, lastRead: last, hasNoLast }: Answers): ui.RichElement[] | undefined {
  if (last === undefined) return hasNoLast && [ui.words(NO_LAST)];
  const { question, at, found, isNewer } = last;
  const id = question.snapshotId;
  if (found === undefined) {
    const which = isNewer ? 'Newer' : 'Earlier';
    return [ui.words(`${which} snapshot of this device: ${id} (`), ui.day(at), ui.words(')')];
  }
  const [top = ''] = levelCounts(hitsOf(found.new)).split(', ');
  const grave = found.new.length === 1 ? top.replace(/^1 /, '') : top;
  const fresh = some(found.new, 'new');
  const rest = joined(
    ', ',
    fresh && ` (${grave})`,
    some(found.cleared, 'cleared'),
    some(found.changed, 'rated differently'),
    some(found.unlisted, unlistedWord(result)),
  );
  const said = ui.present(fresh && ui.bold(fresh), ui.words(rest || 'nothing new'));
  return [ui.words(`Since ${id} (`), ui.day(at), ui.words('): '), ...said];
}
