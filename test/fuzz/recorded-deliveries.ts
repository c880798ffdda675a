import { setImmediate as turn } from 'node:timers/promises';
import { optionsOf } from '../emulators/slack/blocks/options.ts';
import { type Json, records, string } from '../emulators/slack/json.ts';
import { withIds } from '../emulators/slack/message-json.ts';
import type { DeliveryKind } from '../emulators/slack/model.ts';
import { interactiveElements } from '../emulators/slack/user-actions/elements.ts';
import type { World } from '../support/world.ts';

/** One delivery that the emulator of Slack sent to the bot. */
export type Recorded = { readonly kind: DeliveryKind; readonly payload: Json };

const CHANNEL = 'C0SUPPORT';
const TYPED = [
  ...['1001 hit', '1001', '1002', '1002 me', 'compare 1001 1010', '1001 CVE-2026-10000', '1001 crit', '9999'],
  ...['help', 'status', 'compare last 1010', 'thanks!', '1003'],
];
/** The bot counts as done with a click when it has called nobody for this many turns of the event loop. */
const QUIET_TURNS = 200;

/** Uses every button, menu and form of the bot once, and returns one delivery for each handler of the bot. */
export async function recordDeliveries(world: World): Promise<Recorded[]> {
  const { slack } = world;
  for (const text of TYPED) await slack.command({ text, channel: CHANNEL });
  await slack.mention({ text: '1012', channel: CHANNEL });
  await slack.say({ text: '1012', channel: '@ana' });
  const { message } = await slack.say({ text: 'see 26808463', channel: CHANNEL });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.openHome();
  const used = new Set<string>();
  let before = -1;
  while (used.size > before) {
    before = used.size;
    await quiet(world);
    await exhaustModals(world, used);
    for (const shown of slack.messages(CHANNEL)) {
      for (const [actionId, value] of unused(shown.blocks, used)) {
        await slack.click({ message: shown, actionId, ...value }).catch(() => undefined);
        await quiet(world);
        await exhaustModals(world, used);
      }
    }
  }
  return oneOfEach(world);
}

/** Uses the elements of each open modal, then submits and closes it. */
async function exhaustModals({ slack, ...world }: World, used: Set<string>): Promise<void> {
  for (let view = slack.modals().at(-1); view !== undefined; view = slack.modals().at(-1)) {
    for (const [actionId, value] of unused(records(view.view.blocks), used)) {
      await slack.click({ view, actionId, ...value }).catch(() => undefined);
      await quiet({ slack, ...world });
    }
    await slack.submit({ view }).catch(() => undefined);
    await quiet({ slack, ...world });
    if (slack.modals().some(({ id }) => id === view?.id)) await slack.closeView(view);
  }
}

/** The elements that nobody has used yet, with each kind of value that they offer. */
function unused(blocks: readonly Json[], used: Set<string>): [actionId: string, value: { value?: string }][] {
  return interactiveElements(withIds(blocks)).flatMap(({ element }) => {
    const actionId = string(element.action_id);
    const values = optionsOf(element).map(({ value }) => string(value));
    const all: { value?: string }[] = values.length === 0 ? [{}] : values.map((value) => ({ value }));
    return all.flatMap((value): [string, { value?: string }][] => {
      const key = `${actionId} ${value.value ?? ''}`;
      if (used.has(key)) return [];
      used.add(key);
      return [[actionId, value]];
    });
  });
}

async function quiet({ slack }: World): Promise<void> {
  let calls = -1;
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    if (slack.records.calls.length !== calls) turns = 0;
    calls = slack.records.calls.length;
    await turn();
  }
}

/** Clicks on different elements are different; the same one on another page is not. */
function oneOfEach({ slack }: World): Recorded[] {
  const found = new Map<string, Recorded>();
  for (const { kind, payload } of slack.records.deliveries) {
    const [action = {}] = records(payload.actions);
    const name = [payload.type, payload.callback_id, action.action_id, string(payload.text).slice(0, 9)];
    found.set(JSON.stringify([kind, ...name, Object.keys(payload)]), { kind, payload });
  }
  return [...found.values()];
}
