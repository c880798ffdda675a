import type { types } from '@slack/bolt';
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

/** What the last analysis of a device says of a search, or why nothing; the analysis itself may be large. */
export type DeviceAnswer = {
  readonly device: KnownDevice;
  readonly kind: 'hit' | 'perhaps' | 'none' | 'other';
  /** Of the worst hit: 0 is critical. */
  readonly rank: number;
  readonly mark: string;
  readonly said: string;
  /** The release, and when that was read; '' without an analysis. */
  readonly basis: string;
};

/** In which order devices are listed: what may need work first, then what nobody could read. */
const ORDER: readonly DeviceAnswer['kind'][] = ['hit', 'perhaps', 'none', 'other'];
const MOST_RANKS = 10;
const LONGEST_SAID = 400;
const NOT_NOW = 'The service is busy: search again later.';

/** What is said of a device; without a unit there was no room for its reading. */
export function answerOf(device: KnownDevice, unit: Unit | undefined, search: Search): DeviceAnswer {
  if (unit?.kind === 'ready') return verdictFor(device, unit, search);
  const isOpen = unit === undefined || unit.kind === 'open';
  const said =
    unit === undefined
      ? NOT_NOW
      : unit.kind === 'open'
        ? 'Still being processed: search again later.'
        : `No result: ${unit.kind === 'failed' ? BRIEF[unit.why] : 'a bug stopped it'}.`;
  return { device, kind: 'none', rank: 0, mark: isOpen ? '⏳' : '⛔', said, basis: '' };
}

function verdictFor(device: KnownDevice, unit: ReadyUnit, search: Search): DeviceAnswer {
  const { result, question, readAt, found } = unit;
  const [worst] = byImportance([...(found?.matches ?? [])].filter(({ match }) => match === 'hit'));
  const outcomes = found?.verdicts.map(({ outcome }) => outcome) ?? [];
  const isPerhaps = outcomes.includes('mentioned') || outcomes.includes('perhaps');
  const rank = worst === undefined ? 0 : levelOf(worst).rank;
  const isPassed = outcomes.length > 0 && outcomes.every((outcome) => outcome === 'passed');
  return {
    device,
    kind: worst !== undefined ? 'hit' : isPerhaps ? 'perhaps' : 'other',
    rank,
    mark: worst !== undefined ? (LEVEL_MARKS[rank] ?? '') : isPassed ? '✅' : '',
    said: summaryOf(searchBody({ question, search }, unit)),
    basis: joined(' · ', inert(releaseNumber(result)), slackTime(readAt, 'as of')),
  };
}

/** The answers of all devices, or of those that were read so far: `left` are not yet. */
export function searchedWindow(
  user: string,
  search: Search,
  answers: readonly DeviceAnswer[],
  left: number,
): types.ModalView {
  const order = ({ kind, rank }: DeviceAnswer) => ORDER.indexOf(kind) * MOST_RANKS + rank;
  const sorted = answers.toSorted((one, other) => order(one) - order(other));
  return devicesView(user, search, [headOf(search, answers, left), ...sorted.map(row)]);
}

function row({ device, mark, said, basis }: DeviceAnswer): types.SectionBlock {
  const details = joined(' · ', device.snapshotId, basis);
  return deviceSection(device, mark, [inert(shorten(said, LONGEST_SAID)), details], againButton(device));
}

/** `CVE-2026-10000: hits on 2 of 12 devices, 1 without a result`, or how far the search is. */
function headOf(search: Search, answers: readonly DeviceAnswer[], left: number): types.RichTextBlock {
  const size = (kind: DeviceAnswer['kind']) => answers.filter((each) => each.kind === kind).length;
  const all = counted(answers.length + left, 'device');
  const line = (said: string) => [words(`${searchText(search)}: ${said}`, { bold: true })];
  if (left > 0) return richText(line(`${answers.length} of ${all} so far`), [words(ON_CLOSING)]);
  const none = size('none');
  return richText(
    line(joined(', ', `hits on ${size('hit')} of ${all}`, none > 0 && `${none} without a result`)),
  );
}

const ON_CLOSING = 'Closing this window ends the search; what was read is kept for the next one.';
