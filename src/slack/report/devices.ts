import type { types } from '@slack/bolt';
import { LEVEL_GROUPS } from '../../core/importance.ts';
import type { Search } from '../../core/searching.ts';
import type { KnownDevice, OwnedDevice } from '../../lookups/people.ts';
import {
  actions,
  button,
  type Message,
  moment,
  richText,
  slackDay,
  slackTime,
  words,
} from '../blocks/blocks.ts';
import { inert, shorten } from '../blocks/limits.ts';
import { modal } from '../blocks/modal.ts';
import type { Named } from '../commands/parse-command.ts';
import { DID_YOU_MEAN_ACTION } from './controls.ts';
import { groupWord, LEVEL_MARKS } from './levels.ts';
import { searchInput } from './list.ts';
import { count, joined } from './words.ts';

/** The window's callback id. */
export const DEVICES_VIEW = 'devices';
/** Opens the window with all devices of the reader. */
export const DEVICES_ACTION = 'my-devices';
/** Looks a device up once more; its snapshot's id stands behind it, so that each button has an id of its own. */
export const AGAIN_ACTION = 'look-up-again-';
/** The same for the end of an ownership. */
export const UNASSIGN_ACTION = 'unassign-';

const TITLE = 'My devices';
const LONGEST_NAME = 80;

/** Devices with the worst hits first: by critical ones, then by high ones, and so on; where hits are unknown, last. */
export function worstFirst<D extends KnownDevice>(devices: readonly D[]): D[] {
  const order = ({ counts = [-1] }: KnownDevice, { counts: others = [-1] }: KnownDevice) => {
    const at = counts.findIndex((size, rank) => size !== others[rank]);
    return at === -1 ? 0 : (others[at] ?? 0) - (counts[at] ?? 0);
  };
  return devices.toSorted(order);
}

/** A device with its counts, when it was looked up, and its owner. */
export function deviceRow(device: OwnedDevice): types.SectionBlock {
  const { snapshotId, at, owner } = device;
  const details = [findingsOf(device), snapshotId, slackDay(at), owner && `Owner: <@${owner.user}>`];
  return deviceSection(device, markOf(device), [joined(' · ', ...details)], againButton(device));
}

/** A device that the reader owns; `url` leads to the report on which that was said. */
export function ownedRow(device: KnownDevice, url: string | undefined): types.SectionBlock {
  const { snapshotId, at } = device;
  const spoken = `Unassign ${snapshotId}`;
  const unassign = button('Unassign', `${UNASSIGN_ACTION}${snapshotId}`, snapshotId, spoken);
  const details = [findingsOf(device), slackDay(at, 'mine since'), url && `<${url}|report of ${snapshotId}>`];
  return deviceSection(device, markOf(device), [joined(' · ', ...details)], unassign);
}

/** Looks the snapshot of a device up once more. */
export function againButton({ snapshotId }: KnownDevice): types.Button {
  const spoken = `Look up ${snapshotId} again`;
  return button('Look up again', `${AGAIN_ACTION}${snapshotId}`, snapshotId, spoken);
}

/** The name of a device, and lines in mrkdwn below it. */
export function deviceSection(
  device: KnownDevice,
  mark: string,
  lines: readonly string[],
  accessory: types.Button,
): types.SectionBlock {
  const title = `${mark === '' ? '' : `${mark}\u00a0`}*${inert(titleOf(device))}*`;
  const text = [title, ...lines].join('\n');
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true }, accessory };
}

/** The mark of the worst level; '' where that is not known. */
function markOf({ counts }: KnownDevice): string {
  if (counts === undefined) return '';
  const worst = counts.findIndex((size) => size > 0);
  return worst === -1 ? '✅' : (LEVEL_MARKS[worst] ?? '');
}

/** What people call a device: its name, else its serial number, else its snapshot. */
function titleOf({ host, serial, snapshotId }: KnownDevice): string {
  return shorten(host || serial || `Snapshot ${snapshotId}`, LONGEST_NAME);
}

/** `2 critical, 11 high`, else the other levels; or `No hits`. */
function findingsOf({ counts }: KnownDevice): string {
  if (counts === undefined) return 'Not all hits are known';
  const said = LEVEL_GROUPS.map(
    (group, at) => counts[at] !== 0 && `${count(counts[at] ?? 0)} ${groupWord(group)}`,
  );
  return joined(', ', ...said.slice(0, 2)) || joined(', ', ...said) || 'No hits';
}

/** All devices of a person, the worst first, and a field to search all of them. */
export function devicesWindow(devices: readonly OwnedDevice[], user: string): types.ModalView {
  if (devices.length > 0) return devicesView(user, [], worstFirst(devices).map(deviceRow));
  return modal({ title: TITLE }, [richText([words(NONE)])]);
}

/** The window with that field, and what it lists now. */
export function devicesView(user: string, search: Search, rows: types.KnownBlock[]): types.ModalView {
  const frame = { title: TITLE, callbackId: DEVICES_VIEW, submit: 'Search all' };
  // What is asked for in this window is answered directly.
  return {
    ...modal(frame, [searchInput(search), ...rows]),
    private_metadata: JSON.stringify({ channel: user }),
  };
}

/** Said where there are none. */
const NONE = 'The devices that you look up are listed here.';

/** Which snapshot a name led to, for the person who typed it. */
export function foundDevice({ name }: Named, device: KnownDevice): Message {
  const { snapshotId, at } = device;
  const start = `“${name}” is ${titleOf(device)}; its newest snapshot in your list is ${snapshotId} (`;
  return {
    text: `${inert(start)}${slackTime(at)}).`,
    blocks: [richText([words(start), moment(at, '{date_short_pretty} {time}'), words(').')])],
  };
}

const MOST_NAMED = 10;

/** Asks which of several devices a name means. */
export function whichDevice({ name, rest }: Named, devices: readonly KnownDevice[]): Message {
  const more = devices.length > MOST_NAMED ? ' Type more of the name to see others.' : '';
  const said = `“${name}” fits ${count(devices.length)} of your devices. Which one?${more}`;
  const buttons = devices.slice(0, MOST_NAMED).map((device, at) => {
    const { snapshotId } = device;
    return button(
      `${titleOf(device)} · ${snapshotId}`,
      `${DID_YOU_MEAN_ACTION}-${at}`,
      `${snapshotId} ${rest}`,
    );
  });
  return { text: inert(said), blocks: [richText([words(said)]), actions(buttons)] };
}
