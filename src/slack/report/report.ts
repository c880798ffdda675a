import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countChecks, type Filter, isExploited, isOpen, passes, showsNoHits } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { upgradeOf } from '../../core/upgrading.ts';
import type { Answers, LastRead } from '../../lookups/lookup-status.ts';
import { type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { allButton, type Body, checksButton, hitsIn, totalOf } from './body.ts';
import { type Listed, moreLine, namedSize } from './hit.ts';
import { countsLine, isCritical, levelCounts } from './levels.ts';
import { count, counted, cveWords, joined, listed, NO_CATALOGUE, unlistedWord } from './words.ts';

/** The report of one snapshot, or of the part of it that was asked for. */
export function reportBody(view: Asked, answers: Answers): Body {
  if (view.question.set === 'miss') return checksBody(view, answers);
  const { filter = {} } = view;
  return isOpen(filter) ? wholeBody(view, answers) : filteredBody(filter, answers);
}

function wholeBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { all, open, accepted } = hitsIn(answers);
  if (all.length === 0) return emptyBody(view, answers);
  const hits = open.map(({ hit }) => hit);
  const exploited = hits.filter(isExploited).length;
  const known = exploited > 0 && `${count(exploited)} known exploited`;
  const { misses } = countChecks(result, view.question.set);
  const total = totalOf(view, result);
  const acceptedCount = accepted.length === 0 ? '' : `${count(accepted.length)} accepted`;
  return {
    lines: [
      [...countsLine(hits), ...(acceptedCount === '' ? [] : [words(`  ${acceptedCount}`)])],
      ...(known ? [[words('⚠\u00a0'), words(known, { bold: true })]] : []),
      [words(total)],
      ...doubtLine(view, result),
      ...upgradeLine(result, hits),
      ...sinceLine(answers),
    ],
    summary: `${joined(', ', ...levelCounts(hits), known, acceptedCount)} (${total})`,
    hits: open,
    named: namedSize(hits),
    accepted,
    closing: (unnamed) =>
      unnamed.length > 0 ? moreLine(unnamed) : misses ? `And ${counted(misses, 'passed check')}` : '',
    buttons: all.length === 1 ? checksButton(view, result) : allButton(answers),
    canBeOwned: true,
  };
}

/** A document without hits: that there are none is only said where it shows that. */
function emptyBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const { misses } = countChecks(result, view.question.set);
  const passed = misses ? `: all ${counted(misses, 'check')} passed` : '';
  const isClear = showsNoHits(result, view.question.set);
  const said = isClear ? `No hits${passed}` : 'No checks are listed.';
  return {
    lines: [
      [...(isClear ? [words('✅\u00a0')] : []), words(said, { bold: true })],
      ...doubtLine(view, result),
      ...sinceLine(answers),
    ],
    summary: isClear ? `no hits${passed.replace(':', ',')}` : said,
    ...NO_HITS,
    buttons: checksButton(view, result),
  };
}

const NO_HITS = { hits: [], named: 0, accepted: [], closing: () => '', canBeOwned: false } as const;

/** The passed checks are counted, and the window lists them. */
function checksBody(view: Asked, { result }: Answers): Body {
  const { hits, misses = 0, checks } = countChecks(result, view.question.set);
  const all = misses === checks ? 'All ' : '';
  const said = misses === 0 ? 'No passed checks are listed' : `${all}${counted(misses, 'check')} passed`;
  return {
    lines: [
      [...(misses > 0 ? [words('✅\u00a0')] : []), words(said, { bold: true })],
      ...(hits ? [[words(`Not listed here: ${counted(hits, 'hit')}`)]] : []),
      ...doubtLine(view, result),
    ],
    summary: said,
    ...NO_HITS,
    buttons: checksButton(view, result),
  };
}

/** `2 critical of 37 hits` */
function filteredBody(filter: Filter, answers: Answers): Body {
  const { all, open, accepted } = hitsIn(answers);
  const isShown = ({ hit }: Listed) => passes(hit, filter);
  const [hits, acceptedHits] = [open.filter(isShown), accepted.filter(isShown)];
  const shown = hits.map(({ hit }) => hit);
  const others = open.filter((each) => !isShown(each)).map(({ hit }) => hit);
  const cves = cveWords(filter) && ` ${cveWords(filter)}`;
  const of = ` of ${counted(all.length, 'hit')}`;
  const isUnknown = filter.cve === 'exploited' && answers.result.exploitedAsOf === undefined;
  const none = isUnknown ? NO_CATALOGUE : `No ${joined(' ', listedLevels(filter), `hits${cves}`)}`;
  const summary = shown.length === 0 ? none : joined(', ', ...levelCounts(shown)) + cves;
  const left = others.length === 0 ? '' : `; not listed: ${levelCounts(others).join(', ')}`;
  return {
    lines: [
      [
        ...(shown.length === 0 ? [words(none, { bold: true })] : countsLine(shown)),
        words(shown.length === 0 ? `${of.replace(' of', ' in')}` : `${cves}${of}`),
      ],
    ],
    summary: `${summary}${of}${left}`,
    hits,
    named: MOST_NAMED_OF_PART,
    accepted: acceptedHits,
    closing: (unnamed) => (unnamed.length + others.length === 0 ? '' : moreLine([...unnamed, ...others])),
    buttons: allButton(answers),
    canBeOwned: true,
  };
}

/** A part that somebody asked for is named as far as there is room. */
const MOST_NAMED_OF_PART = 30;

function listedLevels({ levels = [] }: Filter): string {
  return listed(levels.map((level) => (level === 'other' ? 'otherwise rated' : level))).replace(
    ' and ',
    ' or ',
  );
}

/** What the service counts, where that is not what it sent. */
export function doubtLine({ question }: Asked, result: DiagnosticsResult): RichElement[][] {
  const { stated, listed: sent, isDisputed } = countChecks(result, question.set);
  if (!isDisputed) return [];
  const said = ({ hits, misses }: { hits?: number | undefined; misses?: number | undefined }) =>
    listed([
      ...(hits === undefined ? [] : [counted(hits, 'hit')]),
      ...(misses === undefined ? [] : [counted(misses, 'passed check')]),
    ]);
  return [[words(`The service counts ${said(stated)}, but sent ${said(sent)}.`)]];
}

const LONGEST_VERSION = 30;

/** `→ Upgrade to 17.1.3.4: fixes 11 hits, 1 of 2 critical`, of the hits that nobody accepted. */
function upgradeLine(result: DiagnosticsResult, hits: readonly Diagnostic[]): RichElement[][] {
  const upgrade = upgradeOf({ ...result, diagnostics: hits });
  if (upgrade === undefined) return [];
  const [fixed, critical] = [upgrade.fixed.filter(isCritical).length, hits.filter(isCritical).length];
  const grave = critical > 0 && `${count(fixed)} of ${count(critical)} critical`;
  const fixes = joined(', ', `: fixes ${counted(upgrade.fixed.length, 'hit')}`, grave);
  const version = shorten(upgrade.version, LONGEST_VERSION);
  return [[words('→ '), words(`Upgrade to ${version}`, { bold: true }), words(fixes)]];
}

const LONGEST_HOST = 60;

/** `Since 1000 (Tuesday): 1 new (high), 20 cleared`, of the last result of the same device. */
function sinceLine({ result, lastRead: last, hasNoLast }: Answers): RichElement[][] {
  if (last === undefined)
    return hasNoLast
      ? [[words('No other snapshot of this device was looked up here recently: nothing to compare with.')]]
      : [];
  const { question, host = '', isNewer, isOtherHost } = last;
  const id = question.snapshotId;
  const when: RichElement[] = [words(' ('), lookedUp(last.at), words(')')];
  if (isOtherHost)
    return [[words(`Other host of this chassis: ${shorten(host, LONGEST_HOST)}, ${id}`), ...when]];
  const changes = changesOf(last, result);
  if (isNewer)
    return [
      [words(`${id}`), ...when, words(' is newer'), ...(changes.length > 0 ? [words(': '), ...changes] : [])],
    ];
  if (changes.length === 0) return [[words(`Earlier snapshot of this device: ${id}`), ...when]];
  return [[words(`Since ${id}`), ...when, words(': '), ...changes]];
}

function lookedUp(at: number): RichElement {
  return {
    type: 'date',
    timestamp: Math.floor(at / 1_000),
    format: '{date_short_pretty}',
    fallback: new Date(at).toISOString().slice(0, 10),
  };
}

/** `1 new (high), 20 cleared`; nothing where that is not known. */
function changesOf({ found }: LastRead, result: DiagnosticsResult): RichElement[] {
  if (found === undefined) return [];
  const levels = levelCounts(found.new.map(({ hit }) => hit));
  const [top = ''] = levels;
  const grave = found.new.length === 1 ? top.replace(/^1 /, '') : top;
  const rest = joined(
    ', ',
    found.cleared.length > 0 && `${count(found.cleared.length)} cleared`,
    found.changed.length > 0 && `${count(found.changed.length)} rated differently`,
    found.unlisted.length > 0 && `${count(found.unlisted.length)} ${unlistedWord(result)}`,
  );
  if (found.new.length === 0) return [words(rest || 'nothing new')];
  const begin = words(`${count(found.new.length)} new`, { bold: true });
  return [begin, words(` (${grave})${rest === '' ? '' : `, ${rest}`}`)];
}
