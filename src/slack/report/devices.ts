import type { types } from '@slack/bolt';
import { levelOf } from '../../core/importance.ts';
import { type Search, searchText } from '../../core/searching.ts';
import type { ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { KnownDevice, OwnedDevice } from '../../lookups/people.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { inert, LIMITS, shorten } from '../blocks/limits.ts';
import { modal } from '../blocks/modal.ts';
import type { Named } from '../commands/parse-command.ts';
import { summaryOf } from './body.ts';
import { BRIEF } from './faults.ts';
import { graveWords, LEVEL_MARKS, releaseNumber } from './levels.ts';
import { searchInput } from './list.ts';
import { searchBody } from './search.ts';
import { count, counted, joined } from './words.ts';

export const DEVICES_VIEW = 'devices';

const TITLE = 'My devices';

/** Sorts devices by their hits: by critical hits first, then high hits, and so on. Those with unknown hits are last. */
export function worstFirst<D extends KnownDevice>(devices: readonly D[]): D[] {
  return devices.toSorted(({ counts = [-1] }, { counts: others = [-1] }) => {
    const at = counts.findIndex((size, rank) => size !== others[rank]);
    return (others[at] ?? 0) - (counts[at] ?? 0);
  });
}

/** The row of a device: its hits, its latest snapshot, when it was looked up, and its owner. */
export function deviceRow(device: OwnedDevice): types.SectionBlock {
  const { snapshotId, at, owner } = device;
  const { mark, said } = findingsOf(device);
  const owned = owner && `Owner: <@${owner.user}>`;
  return section(device, mark, joined(' · ', said, snapshotId, ui.slackTime(at, '', ui.DAY), owned));
}

function section(device: KnownDevice, mark: string, ...lines: readonly string[]): types.SectionBlock {
  const { snapshotId: id } = device;
  const title = `${mark === '' ? '' : `${mark}\u00a0`}*${inert(titleOf(device))}*`;
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: [title, ...lines].join('\n'), verbatim: true },
    accessory: ui.button('Look up again', `${ACTION.again}${id}`, id, `snapshot ${id}`),
  };
}

/** The title of a device: its host name, else its serial number, else its snapshot id. */
function titleOf({ host, serial, snapshotId }: KnownDevice): string {
  return shorten(host || serial || `Snapshot ${snapshotId}`, LIMITS.name);
}

/** The hits of a device, such as `2 critical, 11 high`, and the mark of the worst level ('' if hits are unknown). */
export function findingsOf(device: KnownDevice): { readonly mark: string; readonly said: string } {
  const { counts, accepted = 0 } = device;
  if (counts === undefined) return { mark: '', said: 'Not all hits are known' };
  const worst = counts.findIndex((size) => size > 0);
  if (worst !== -1) return { mark: LEVEL_MARKS[worst] ?? '', said: graveWords(counts) };
  return accepted > 0 ? { mark: '', said: `${count(accepted)} accepted` } : { mark: '✅', said: 'No hits' };
}

/** A person's devices, worst first, with a field to search them all. */
export function devicesWindow(devices: readonly OwnedDevice[], user: string): types.ModalView {
  if (devices.length > 0) return devicesView(user, [], worstFirst(devices).map(deviceRow));
  return modal({ title: TITLE }, [ui.line('The devices that you look up are listed here.')]);
}

function devicesView(user: string, search: Search, rows: types.KnownBlock[]): types.ModalView {
  const frame = { title: TITLE, callbackId: DEVICES_VIEW, submit: 'Search all' };
  const view = modal(frame, [searchInput(search), ...rows]);
  // Requests from this window are answered in a direct message.
  return { ...view, private_metadata: JSON.stringify({ channel: user }) };
}

/** Tells a person which snapshot the bot found for a typed device name. */
export function foundDevice({ name }: Named, device: KnownDevice): ui.Message {
  const start = `“${name}” is ${titleOf(device)}; its newest snapshot in your list is ${device.snapshotId} (`;
  return ui.messageOf([[ui.words(start), ui.moment(device.at), ui.words(').')]]);
}

const MOST_NAMED = 10;

/** Asks which of several devices a name means. */
export function whichDevice({ name, rest }: Named, devices: readonly KnownDevice[]): ui.Message {
  const more = devices.length > MOST_NAMED ? ' Type more of the name to see others.' : '';
  const buttons = devices.slice(0, MOST_NAMED).map((device, at) => {
    const label = `${titleOf(device)} · ${device.snapshotId}`;
    return ui.button(label, `${ACTION.didYouMean}-${at}`, `${device.snapshotId} ${rest}`);
  });
  const which = `“${name}” fits ${count(devices.length)} of your devices. Which one?${more}`;
  return ui.messageOf([[ui.words(which)]], ...buttons);
}

/**
 * The row of a device in a search. `place` is its sort key: devices with hits by level, then devices without a result,
 * then the other devices.
 */
export type DeviceAnswer = Readonly<{ place: number; row: types.SectionBlock }>;

/** The sort keys of devices without a result, and of devices without hits; devices with hits have lower keys. */
const [WITHOUT, REST] = [5, 6];
const LONGEST_SAID = 400;

/** The row for one device, from its newest analysis. */
export function answerOf(device: KnownDevice, unit: Unit, search: Search): DeviceAnswer {
  if (unit.kind === 'ready') return verdictFor(device, unit, search);
  const [mark, why] =
    unit.kind === 'failed'
      ? ['⛔', `No result: ${BRIEF[unit.why]}.`]
      : ['⏳', 'No result yet: search again later.'];
  return { place: WITHOUT, row: section(device, mark, why, device.snapshotId) };
}

/** The row for a result. A search for ids counts the hits about these ids, not hits that only mention them. */
function verdictFor(device: KnownDevice, unit: ReadyUnit, search: Search): DeviceAnswer {
  const { result, question, readAt, found: { matches, verdicts } = { matches: [], verdicts: [] } } = unit;
  const named = verdicts.flatMap(({ outcome, saidBy }) => (outcome === 'hit' ? saidBy : []));
  const hits = verdicts.length > 0 ? named : [...matches].filter(({ match }) => match === 'hit');
  const place = Math.min(REST, ...hits.map((hit) => levelOf(hit).rank));
  const isPassed = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'passed');
  const answer = inert(shorten(summaryOf(searchBody({ question, search }, unit)), LONGEST_SAID));
  const release = inert(shorten(releaseNumber(result), LIMITS.name));
  const basis = joined(' · ', device.snapshotId, release, ui.slackTime(readAt, 'as of'));
  const mark = isPassed ? '✅' : (LEVEL_MARKS[place] ?? '');
  return { place, row: section(device, mark, answer, basis) };
}

const ON_CLOSING = 'Closing this window ends the search; what was read is kept for the next one.';

/** The rows of the devices searched so far. `left`: how many devices are still to be searched. */
export function searchedWindow(
  user: string,
  search: Search,
  answers: readonly DeviceAnswer[],
  left: number,
): types.ModalView {
  const all = counted(answers.length + left, 'device');
  const hits = answers.filter(({ place }) => place < WITHOUT).length;
  const without = answers.filter(({ place }) => place === WITHOUT).length;
  const end = joined(', ', `hits on ${hits} of ${all}`, without > 0 && `${without} without a result`);
  const head = `${searchText(search)}: ${left > 0 ? `${answers.length} of ${all} so far` : end}`;
  const sorted = answers.toSorted((one, other) => one.place - other.place);
  return devicesView(user, search, [
    ui.richText([ui.bold(head)], ...ui.present(left > 0 && [ui.words(ON_CLOSING)])),
    ...sorted.map(({ row }) => row),
  ]);
}
