import { setImmediate as turn } from 'node:timers/promises';
import { App } from '@slack/bolt';
import { optionsOf } from '../emulators/slack/blocks/elements.ts';
import { type Json, records, string } from '../emulators/slack/json.ts';
import { withIds } from '../emulators/slack/message-json.ts';
import type { DeliveryKind } from '../emulators/slack/model.ts';
import { interactiveElements } from '../emulators/slack/user-actions/elements.ts';
import type { World } from '../support/world.ts';

/** A delivery from the emulator of Slack to the bot. */
export type Recorded = { readonly kind: DeliveryKind; readonly payload: Json };

const CHANNEL = 'C0SUPPORT';
const TYPED = [
  ...['1001 hit', '1001', '1002', '1002 me', 'compare 1001 1010', '1001 CVE-2026-10000', '1001 hgh', '9999'],
  ...['help', 'status', 'compare last 1010', 'thanks!', '1003'],
];
/** How many iterations of the event loop to wait for the work that a listener starts, such as the step of a lookup. */
const QUIET_TURNS = 200;
/** The number of deliveries in Bolt. A delivery counts until all of its listeners are done. */
let handled = 0;

/** Uses every button, menu and form of the bot, and returns one delivery for each listener. */
export async function recordDeliveries(world: World): Promise<Recorded[]> {
  const { processEvent } = App.prototype;
  App.prototype.processEvent = async function (event) {
    handled += 1;
    await processEvent.call(this, event).finally(() => {
      handled -= 1;
    });
  };
  try {
    await tryEverything(world);
  } finally {
    App.prototype.processEvent = processEvent;
  }
  return oneOfEach(world);
}

async function tryEverything(world: World): Promise<void> {
  const { slack } = world;
  for (const text of TYPED) await slack.command({ text, channel: CHANNEL });
  await slack.mention({ text: '1012', channel: CHANNEL });
  await slack.say({ text: '1012', channel: '@ana' });
  const { message } = await slack.say({ text: 'see 26808463', channel: CHANNEL });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.openHome();
  const used = new Set<string>();
  for (;;) {
    await quiet(world);
    await exhaustModals(world, used);
    // Each click may change or remove other messages, so the list is read again.
    const [next] = slack
      .messages(CHANNEL)
      .flatMap((message) => unused(message.blocks, used).map((choice) => ({ message, ...choice })));
    if (next === undefined) return;
    used.add(next.key);
    await slack.click(next).catch(() => undefined);
  }
}

/** Uses the elements of each open modal, then submits and closes it. */
async function exhaustModals(world: World, used: Set<string>): Promise<void> {
  const { slack } = world;
  for (let view = slack.modals().at(-1); view !== undefined; view = slack.modals().at(-1)) {
    const [next] = unused(records(view.view.blocks), used);
    if (next !== undefined) {
      used.add(next.key);
      // An input can't be clicked; `submit` fills it in.
      await slack.click({ view, ...next }).catch(() => undefined);
      await quiet(world);
      continue;
    }
    await slack.submit({ view }).catch(() => undefined);
    await quiet(world);
    if (slack.modals().some(({ id }) => id === view?.id)) await slack.closeView(view);
  }
}

/** A choice in an element: the element's action id, and an option if it has several. */
type Choice = { readonly key: string; readonly actionId: string; readonly value?: string };

/** The choices that have not been made yet. */
function unused(blocks: readonly Json[], used: ReadonlySet<string>): Choice[] {
  return interactiveElements(withIds(blocks))
    .flatMap(({ element }): Choice[] => {
      const actionId = string(element.action_id);
      const values = optionsOf(element).map(({ value }) => string(value));
      // The buttons of all hits do the same, so one hit is enough.
      const name = actionId.replace(/-\d[\d-]*$/, '');
      if (values.length === 0) return [{ key: name, actionId }];
      return values.map((value) => ({ key: `${name} ${value}`, actionId, value }));
    })
    .filter(({ key }, at, all) => !used.has(key) && all.findIndex((each) => each.key === key) === at);
}

/** Waits until the bot has handled every delivery, and has no open call to Slack and no open request to the service. */
async function quiet({ slack, service }: World): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    const [calls, requests] = [slack.records.calls, service.records.requests];
    const isAsking =
      calls.some(({ ms }) => ms === undefined) || requests.some(({ answeredAt }) => answeredAt === undefined);
    if (handled > 0 || isAsking || calls.length !== before) turns = 0;
    before = calls.length;
    await turn();
  }
}

/** One delivery for each element. The same element on another page does not count again. */
function oneOfEach({ slack }: World): Recorded[] {
  const found = new Map<string, Recorded>();
  for (const { kind, payload } of slack.records.deliveries) {
    const [action = {}] = records(payload.actions);
    const name = [payload.type, payload.callback_id, action.action_id, string(payload.text).slice(0, 9)];
    found.set(JSON.stringify([kind, ...name, Object.keys(payload)]), { kind, payload });
  }
  return [...found.values()];
}
