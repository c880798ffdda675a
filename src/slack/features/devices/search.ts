import { setTimeout as delay } from 'node:timers/promises';
import type { types, webApi } from '@slack/bolt';
import { isFault } from '../../../core/faults.ts';
import type { Search } from '../../../core/searching.ts';
import type { Unit } from '../../../lookups/lookup-status.ts';
import type { KnownDevice } from '../../../lookups/people.ts';
import { unitOf } from '../../../lookups/read-units.ts';
import { codeOf } from '../../delivery/slack-errors.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import { answerOf, type DeviceAnswer, searchedWindow } from '../../report/device-answers.ts';

/** How often the window shows how far the search is. Milliseconds, like the others. */
const SHOWN_EACH_MS = 2_000;
/** How long a search waits while people's lookups leave no room for it, and how long between two tries. */
const PATIENCE_MS = 10 * 60_000;
const AGAIN_MS = 500;

/**
 * Searches the last analysis of each device of a person. Those that are not kept any more are read one after the other,
 * behind people's lookups. The answer is in the window alone: the search ends when that is closed, or searched anew.
 */
export async function searchAll({ user, client, body, context }: Interaction, search: Search): Promise<void> {
  const show = sameWindow(client, body.view?.id ?? '');
  const { devices } = await context.people.of(user);
  const until = performance.now() + PATIENCE_MS;
  const answers: DeviceAnswer[] = [];
  const unread: KnownDevice[] = [];
  for (const device of devices) {
    const unit = await keptUnit(device, search, context);
    if (unit === undefined) unread.push(device);
    else answers.push(answerOf(device, unit, search));
  }
  let shownAt = Number.NEGATIVE_INFINITY;
  for (const [at, device] of unread.entries()) {
    if (performance.now() - shownAt >= SHOWN_EACH_MS) {
      if (!(await show(searchedWindow(user, search, answers, unread.length - at)))) return;
      shownAt = performance.now();
    }
    answers.push(answerOf(device, await readUnit(device, search, until, context), search));
  }
  await show(searchedWindow(user, search, answers, 0));
}

function questionOf({ snapshotId }: KnownDevice) {
  return { snapshotId, set: 'all' } as const;
}

async function keptUnit(device: KnownDevice, search: Search, { lookups, precedence }: ListenerContext) {
  await precedence.turn();
  const question = questionOf(device);
  const kept = await lookups.cached(question);
  return kept && unitOf(question, kept, { question, search });
}

/** Undefined where people's lookups left no room for it. Throws `Stopping` and `storage-failed`. */
async function readUnit(
  device: KnownDevice,
  search: Search,
  until: number,
  { backgroundReads }: ListenerContext,
): Promise<Unit | undefined> {
  const question = questionOf(device);
  try {
    for (;;) {
      const read = await backgroundReads.look(question, 0);
      if (read?.kind === 'ready') return await unitOf(question, read, { question, search });
      if (read !== undefined) return { kind: 'open', question, isProcessing: true, reason: read.reason };
      if (performance.now() >= until) return undefined;
      await delay(AGAIN_MS, undefined, { ref: false });
    }
  } catch (error) {
    if (!isFault(error) || isFault(error, 'storage-failed')) throw error;
    return { kind: 'failed', question, why: error.code };
  }
}

/** Slack's codes for a window that was closed, and for one that shows something else by now. */
const OVER = ['not_found', 'hash_conflict'];

/** Changes a window as long as nothing else changes it; false from then on. */
function sameWindow(client: webApi.WebClient, viewId: string): (view: types.ModalView) => Promise<boolean> {
  let hash: string | undefined;
  return async (view) => {
    try {
      const shown = await client.views.update({ view_id: viewId, view, ...(hash !== undefined && { hash }) });
      hash = shown.view?.hash;
      return true;
    } catch (error) {
      if (OVER.includes(codeOf(error) ?? '')) return false;
      throw error;
    }
  };
}
