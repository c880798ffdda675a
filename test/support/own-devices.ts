import type { OpenView } from '../emulators/slack/model.ts';
import { atRest } from './at-rest.ts';
import { modal } from './clicking.ts';
import { ask } from './conversation.ts';
import type { World } from './world.ts';

/** Looks snapshots up one after another, and waits until their devices are listed. */
export async function lookedUp(world: World, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await ask(world, text);
  await atRest(world.address());
}

/** The window with a person's devices, opened by the command. */
export async function devicesOf(world: World, user = 'ana'): Promise<OpenView> {
  for (const each of world.slack.modals(user)) await world.slack.closeView(each);
  await world.slack.command({ text: 'devices', user });
  return modal(world, 'My devices', user);
}
