import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Devices } from '../../../lookups/devices.ts';
import type { Answers, Owner } from '../../../lookups/lookup-status.ts';
import type { KnownDevice } from '../../../lookups/people.ts';
import { ACTION, readCarried } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { shorten } from '../../blocks/limits.ts';
import { input, modal, titled } from '../../blocks/modal.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { windowAt, withAnswers } from '../../front/windows.ts';
import { joined } from '../../report/words.ts';

const HAND_OVER_VIEW = 'hand-over';
const NEW_OWNER_FIELD = 'new-owner';
const UNASSIGN_ACTION = 'unassign';
const LONGEST_NAME = 60;

const HOW = 'I mention the new owner once, in the thread of the report.';

/** The state of the window: the snapshot of the device, if the window was opened on the Home tab. */
const CARRIED = z.object({ owned: z.string().optional() });

type Change = (device: KnownDevice) => ReturnType<Devices['setOwner']>;

/**
 * The owner of a device: “I’m on it” on a report, then “Hand over…” there and on the Home tab, with “Unassign” in its
 * form. Only the report or Home tab that was used is redrawn; other messages show the new owner after a refresh.
 */
export function owner(showHome: (press: Interaction) => Promise<void>): Feature {
  const change = async (press: Interaction, make: Change) => {
    const chosen = chosenAtHome(press);
    if (chosen === undefined) return changeOnReport(press, make);
    const device = await ownedBy(press, chosen);
    if (device !== undefined) await make(device);
    await showHome(press);
  };
  return {
    listen: (on) => {
      on.click(ACTION.own, 'post', (press) => {
        const own = { user: press.user, since: press.context.now() };
        return change(press, (device) => setOwner(press, device, (before) => before ?? own, 'said'));
      });
      on.click(ACTION.handOver, 'post', (press) => press.show(handOverWindow()));
      on.click(new RegExp(`^${ACTION.handOver}-`), 'post', (press) => openAtHome(press, showHome));
      on.click(UNASSIGN_ACTION, 'post', async (press) => {
        await change(press, (device) => setOwner(press, device, () => undefined, 'unassigned'));
        await press.tell('Nobody is on it now.');
      });
      on.form(HAND_OVER_VIEW, 'post', (press) => ({
        work: () => handOver(press, press.field(NEW_OWNER_FIELD), change),
      }));
    },
  };
}

/** The form that asks for the new owner. Choosing a person notifies nobody; only submitting the form does. */
function handOverWindow(): types.ModalView {
  const people = { type: 'users_select', placeholder: ui.plain('Choose somebody') } as const;
  return modal({ title: 'Hand over', callbackId: HAND_OVER_VIEW, submit: 'Hand over', close: 'Cancel' }, [
    input(NEW_OWNER_FIELD, 'To', people),
    ui.smallPrint(HOW),
    ui.actions([ui.button('Unassign', UNASSIGN_ACTION, undefined, 'nobody is on it')]),
  ]);
}

async function openAtHome(press: Interaction, showHome: (press: Interaction) => Promise<void>) {
  const device = await ownedBy(press, press.value);
  if (device === undefined) return showHome(press);
  const { snapshotId, host, report } = device;
  const window = titled(handOverWindow(), { question: { snapshotId, set: 'all' } }, host);
  const carried = { channel: report?.channel ?? press.user, owned: snapshotId };
  await windowAt(press)({ ...window, private_metadata: JSON.stringify(carried) });
}

function chosenAtHome({ body }: Interaction): string | undefined {
  return readCarried(CARRIED, body.view?.private_metadata ?? '{}').owned;
}

/** The device of this snapshot, if the person owns it. */
async function ownedBy({ user, context }: Interaction, snapshotId: string): Promise<KnownDevice | undefined> {
  const { devices } = await context.people.of(user);
  const found = devices.find((each) => each.owner?.user === user && each.snapshotId === snapshotId);
  if (found === undefined) return undefined;
  const { owner: _present, ...device } = found;
  return { ...device, at: context.now() };
}

/** Changes the owner of a report's device, and redraws the report. */
async function changeOnReport(press: Interaction, make: Change): Promise<void> {
  const { context, state, origin } = press;
  const { channel, messageTs: ts, threadTs } = origin;
  const report = ts === undefined ? {} : { report: { channel, ts, ...(threadTs && { threadTs }) } };
  const draw = async ({ owner: _before, ...answers }: Answers) => {
    const device = await context.people.deviceIn(state.question, answers, context.now());
    const { after } = await make({ ...device, ...report });
    await press.redraw({ ...answers, ...(after && { owner: after }) });
  };
  await withAnswers(press, state, draw, press.tell);
}

async function setOwner(
  press: Interaction,
  device: KnownDevice,
  make: (before: Owner | undefined) => Owner | undefined,
  outcome: string,
): ReturnType<Change> {
  const { devices, people } = press.context;
  const { before, after } = await devices.setOwner(device.key, make);
  if (after?.since !== before?.since) {
    if (after !== undefined) await people.own(after.user, device);
    press.audit('on it', { question: { snapshotId: device.snapshotId, set: 'all' } }, outcome);
  }
  return { before, after };
}

/** Makes another person the owner, and mentions that person once. */
async function handOver(
  press: Interaction,
  to: string,
  change: (press: Interaction, make: Change) => Promise<void>,
): Promise<void> {
  const { user, context } = press;
  if (to !== user && !(await context.access.mayStillSee(to, press.origin.channel))) {
    const problem = `<@${to}> may not use this bot here, so nothing was handed over.`;
    if (chosenAtHome(press) === undefined) return press.tell(problem);
    const message = { text: problem, blocks: [ui.smallPrint(problem)] };
    return void (await context.poster.post({ channel: user }, message, 'final'));
  }
  await change(press, async (device) => {
    const next = { user: to, since: context.now() };
    const changed = await setOwner(press, device, () => next, `handed to ${to}`);
    if (to !== user && changed.before?.user !== to) await tell(to, device, press);
    return changed;
  });
}

/** Mentions the new owner in the thread of the report, else in a direct message. */
function tell(to: string, device: KnownDevice, { user, context }: Interaction): Promise<boolean> {
  const { snapshotId, host, serial, report } = device;
  const thread = report ? [{ channel: report.channel, threadTs: report.threadTs ?? report.ts }] : [];
  const about = joined(' of ', `Snapshot ${snapshotId}`, shorten(host || serial, LONGEST_NAME));
  const message = ui.messageOf([
    [ui.mention(to), ui.words(` is on it now: ${about}. Handed over by `), ui.mention(user), ui.words('.')],
  ]);
  return context.poster.postAtFirst([...thread, { channel: to }], message, (err) =>
    context.logger.warn({ err }, 'a new owner could not be mentioned'),
  );
}
