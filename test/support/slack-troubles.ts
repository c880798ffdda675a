import { expect } from 'vitest';
import { atRest } from './at-rest.ts';
import { finals, SUPPORT, shown } from './conversation.ts';
import { SLOW } from './shelved.ts';
import type { World } from './world.ts';

/** Starts a lookup that waits, and returns its message. */
export async function beginWait(world: World, id = '7001') {
  world.service.shelve(id, SLOW);
  await world.slack.command({ text: id });
  return shown(world, `Snapshot ${id} is still being processed`);
}

/** Expects exactly one message, the result, after all work is done. */
export async function expectOneResult(world: World): Promise<void> {
  await world.slack.waitFor(() => finals(world)[0], 'the result', 15_000);
  await atRest(world.address());
  expect(world.slack.messages(SUPPORT).map(({ text }) => text)).toEqual([expect.stringContaining('1 hit')]);
}
