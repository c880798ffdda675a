import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { byImportance, levelOf } from '../../core/importance.ts';
import { type Search, searchText } from '../../core/searching.ts';
import type { ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { KnownDevice } from '../../lookups/people.ts';
import { richText, slackTime, words } from '../blocks/blocks.ts';
import { inert, shorten } from '../blocks/limits.ts';
import { summaryOf } from './body.ts';
import { againButton, deviceSection, devicesView } from './devices.ts';
import { BRIEF } from './faults.ts';
import { LEVEL_MARKS } from './levels.ts';
import { searchBody } from './search.ts';
import { releaseNumber } from './tables.ts';
import { counted, joined } from './words.ts';

/** What the newest analysis of a device says of a search, or why nothing; the analysis itself may be large. */
export type DeviceAnswer = {
  readonly device: KnownDevice;
  /** Where it stands: first devices with hits, by the worst one's rank, then those where something may be. */
  readonly place: number;
  readonly mark: string;
  readonly said: string;
  /** The release, and when that was read; '' without an analysis. */
  readonly basis: string;
};

/** After each rank that a hit can have. */
const [PERHAPS, WITHOUT, REST] = [5, 6, 7];
const LONGEST_SAID = 400;
const LONGEST_RELEASE = 30;

/** What is said of a device; without a unit there was no room for its reading. */
export function answerOf(device: KnownDevice, unit: Unit | undefined, search: Search): DeviceAnswer {
  if (unit?.kind === 'ready') return verdictFor(device, unit, search);
  const without = (mark: string, said: string) => ({ device, place: WITHOUT, mark, said, basis: '' });
  if (unit === undefined) return without('⏳', 'The service is busy: search again later.');
  if (unit.kind === 'open') return without('⏳', 'Still being processed: search again later.');
  return without('⛔', `No result: ${unit.kind === 'failed' ? BRIEF[unit.why] : 'a bug stopped it'}.`);
}

/** Of a search for ids only what names one of them is a hit: a hit that mentions it in some text is none. */
function verdictFor(device: KnownDevice, unit: ReadyUnit, search: Search): DeviceAnswer {
  const { result, question, readAt, found } = unit;
  const { matches = new Set<Diagnostic>(), verdicts = [] } = found ?? {};
  const named = new Set(verdicts.flatMap(({ outcome, saidBy }) => (outcome === 'hit' ? saidBy : [])));
  const isHit = (hit: Diagnostic) => hit.match === 'hit' && (verdicts.length === 0 || named.has(hit));
  const [worst] = byImportance([...matches].filter(isHit));
  const isPerhaps = verdicts.some(({ outcome }) => outcome === 'mentioned' || outcome === 'perhaps');
  const isPassed = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'passed');
  const place = worst === undefined ? (isPerhaps ? PERHAPS : REST) : levelOf(worst).rank;
  return {
    device,
    place,
    mark: isPassed ? '✅' : (LEVEL_MARKS[place] ?? ''),
    said: summaryOf(searchBody({ question, search }, unit)),
    basis: joined(' · ', inert(shorten(releaseNumber(result), LONGEST_RELEASE)), slackTime(readAt, 'as of')),
  };
}

/** The answers of all devices, or of those that were read so far: `left` are not yet. */
export function searchedWindow(
  user: string,
  search: Search,
  answers: readonly DeviceAnswer[],
  left: number,
): types.ModalView {
  const sorted = answers.toSorted((one, other) => one.place - other.place);
  return devicesView(user, search, [headOf(search, answers, left), ...sorted.map(row)]);
}

function row({ device, mark, said, basis }: DeviceAnswer): types.SectionBlock {
  const details = joined(' · ', device.snapshotId, basis);
  return deviceSection(device, mark, [inert(shorten(said, LONGEST_SAID)), details], againButton(device));
}

/** `CVE-2026-10000: hits on 2 of 12 devices, 1 without a result`, or how far the search is. */
function headOf(search: Search, answers: readonly DeviceAnswer[], left: number): types.RichTextBlock {
  const all = counted(answers.length + left, 'device');
  const line = (said: string) => [words(`${searchText(search)}: ${said}`, { bold: true })];
  if (left > 0) return richText(line(`${answers.length} of ${all} so far`), [words(ON_CLOSING)]);
  const hits = answers.filter(({ place }) => place < PERHAPS).length;
  const without = answers.filter(({ place }) => place === WITHOUT).length;
  const others = without > 0 && `${without} without a result`;
  return richText(line(joined(', ', `hits on ${hits} of ${all}`, others)));
}

const ON_CLOSING = 'Closing this window ends the search; what was read is kept for the next one.';
