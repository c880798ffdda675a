import { setTimeout as delay } from 'node:timers/promises';
import { isSnapshotId } from '../../../core/diagnostics.ts';
import { isFault } from '../../../core/faults.ts';
import { readSearch, type Search } from '../../../core/searching.ts';
import type { Unit } from '../../../lookups/lookup-status.ts';
import type { KnownDevice } from '../../../lookups/people.ts';
import { unitOf } from '../../../lookups/units.ts';
import { ACTION, UnreadableValue } from '../../blocks/action-values.ts';
import { noticeModal } from '../../blocks/modal.ts';
import { accept } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { windowAt } from '../../front/windows.ts';
import { answerOf, DEVICES_VIEW, devicesWindow, searchedWindow } from '../../report/devices.ts';
import { SEARCH_FIELD } from '../../report/list.ts';

/** How often the window shows the progress of the search. Milliseconds. */
const SHOWN_EACH_MS = 2_000;
/** How long to try to read the result of a device while the lookups that people asked for go first. Milliseconds. */
const PATIENCE_MS = 60_000;
/** The pause between two such tries. Milliseconds. */
const AGAIN_MS = 500;

const SEARCHING = noticeModal('Searching the last analysis of each device…');

/** A window with the devices that a person looked up. */
export const devices: Feature = {
  listen: (on) => {
    on.click(ACTION.devices, 'read', async (press) => {
      await windowAt(press)(devicesWindow((await press.context.people.of(press.user)).devices, press.user));
    });
    on.form(DEVICES_VIEW, 'read', (form) => {
      const work = () => searchAll(form, readSearch(form.field(SEARCH_FIELD)));
      return { placeholder: SEARCHING, work };
    });
    on.asking(new RegExp(`^${ACTION.again}`), 'ask', lookUpAgain);
  },
};

/** Looks up a device's latest snapshot again. The answer is a direct message, which a window announces. */
async function lookUpAgain(press: Interaction): Promise<void> {
  const { user, value, triggerId, body, context } = press;
  if (!isSnapshotId(value)) throw new UnreadableValue();
  const asked = { question: { snapshotId: value, set: 'all' } } as const;
  const entry = { deliveryId: triggerId, destination: { channel: user, user } };
  const how = body.view?.type === 'home' ? 'open' : 'push';
  await accept(asked, entry, context);
  const said = `I’m looking up snapshot ${value}, and answer you in a direct message.`;
  await windowAt({ context, triggerId, how })(noticeModal(said));
}

/**
 * Searches the latest analysis of each device; without a search, lists the devices. Results that are not cached are
 * read one after another, and the lookups that people ask for go first. Only the window shows the answer, so the search
 * stops once the window is closed or the person starts another search in it.
 */
async function searchAll({ user, context, where }: Interaction, search: Search): Promise<void> {
  const show = windowAt(where);
  // Acknowledged with this, so that all further views are updates: these stop once a newer search changes the window.
  await show(SEARCHING);
  const { devices } = await context.people.of(user);
  if (search.length === 0) return void (await show(devicesWindow(devices, user)));
  const answers: ReturnType<typeof answerOf>[] = [];
  let shownAt = Number.NEGATIVE_INFINITY;
  for (const [at, device] of devices.entries()) {
    if (performance.now() - shownAt >= SHOWN_EACH_MS) {
      if (!(await show(searchedWindow(user, search, answers, devices.length - at)))) return;
      shownAt = performance.now();
    }
    answers.push(answerOf(device, await unitFor(device, search, context), search));
  }
  await show(searchedWindow(user, search, answers, 0));
}

/** The result for a device; `open` if it can't be read in time. Throws `Stopping` and `storage-failed`. */
async function unitFor(
  { snapshotId }: KnownDevice,
  search: Search,
  { lookups, backgroundReads, precedence }: ListenerContext,
): Promise<Unit> {
  const question = { snapshotId, set: 'all' } as const;
  const until = performance.now() + PATIENCE_MS;
  await precedence.turn();
  try {
    for (;;) {
      const read = (await lookups.cached(question)) ?? (await backgroundReads.look(question, 0));
      if (read?.kind === 'ready') return await unitOf(question, read, { question, search });
      if (read !== undefined || performance.now() >= until)
        return { kind: 'open', question, isProcessing: true, reason: '' };
      await delay(AGAIN_MS, undefined, { ref: false });
    }
  } catch (error) {
    if (!isFault(error) || isFault(error, 'storage-failed')) throw error;
    return { kind: 'failed', question, why: error.code };
  }
}
