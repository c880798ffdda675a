import { expect } from 'vitest';
import { readDelivery } from '../../src/slack/front/delivery.ts';
import { type Json, record } from '../emulators/slack/json.ts';
import { reads } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';
import { freePort } from '../support/free-port.ts';
import { statusOf } from '../support/raw-request.ts';
import { deliverEvent } from '../support/slack-event.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const FORM = 'application/x-www-form-urlencoded';
const DEEP = 20_000;

/** Payloads without a person or an action, of unknown types, nested too deep, or that are no JSON. */
const ODD = [
  ...['{}', '{"type":null}', '{"type":"block_actions"}', '{', 'nonsense', '{"type":"event_callback"}'],
  ...['{"type":"event_callback","event":null}', '{"type":"event_callback","event":{"type":null}}'],
  '{"type":"block_actions","user":null,"actions":[null]}',
  '{"type":"shortcut","callback_id":"look-up-snapshot"}',
  '{"command":"/snapshot","text":"1012"}',
  '{"command":"/snapshot","text":"1012","user_id":""}',
  `${'{"type":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
];

async function answersStill(world: World): Promise<void> {
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, '1 hit');
}

/**
 * The log lines about deliveries. It leaves out the checks at the start, which may still run and name a repair, and the
 * warning of Slack's client about a late pong, which a busy machine causes.
 */
function refusals({ log }: World): string[] {
  return log.filter((line) => /"level":"(?:warn|error)"/.test(line) && !/"repair"|[Pp]ong/.test(line));
}

test('A signed body that is no delivery is refused with one line in the log, and the process lives', async ({
  world,
}) => {
  for (const body of ODD) {
    for (const [sent, type] of [[body], [new URLSearchParams({ payload: body }).toString(), FORM]] as const) {
      const before = refusals(world).length;
      expect(await world.slack.sendRaw(sent, type), `${type} ${body.slice(0, 80)}`).toBe(400);
      expect(refusals(world).slice(before), body.slice(0, 80)).toHaveLength(1);
    }
  }
  await answersStill(world);
});

/** The fields that Slack always sends, by kind. Any other field may be null or absent. */
const ALWAYS = {
  command: /^(command|user_id|channel_id|trigger_id|text)$/,
  event_callback: /^(type|event(\.(type|user|channel|message(\.user)?))?)$/,
  block_actions:
    /^(type|message(\.ts)?|container\.(message_ts|is_ephemeral)|trigger_id|user(\.id)?|container(\.type)?|actions(\.0(\.(type|\w+_id|selected_option(\.value)?))?)?|view\.(id|type|state|blocks.*))$/,
  view_submission: /^(type|trigger_id|user(\.id)?|view(\.(id|type|state(\.values(\.[\w-]+)?)?|blocks.*))?)$/,
  message_action: /^(type|trigger_id|user(\.id)?|callback_id|channel(\.id)?|message(_ts)?|response_url)$/,
  shortcut: /^(type|trigger_id|user(\.id)?|callback_id)$/,
};

/** The path of each place in a payload that may be null. */
function optionalIn(payload: Json): string[] {
  const always = Object.entries(ALWAYS).find(
    ([kind]) => kind === (payload.command ? 'command' : payload.type),
  );
  const paths = (value: unknown, path: string): string[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, `${path}.${key}`))];
  return paths(payload, '')
    .map((path) => path.slice(1))
    .filter((path) => path !== '' && !path.endsWith('.id') && always?.[1].test(path) === false);
}

/** The payload with one place changed. */
function changed(payload: Json, path: string, change: (parent: Json, key: string) => void): Json {
  const copy = structuredClone(payload);
  const keys = path.split('.');
  const parent = keys.slice(0, -1).reduce<Json>((each, key) => record(each[key]), copy);
  change(parent, keys.at(-1) ?? '');
  return copy;
}

test('Every optional field of a delivery can be null or absent', async ({ world }) => {
  const { slack } = world;
  await slack.command({ text: '1001 hit' });
  const message = await reads(world, '37 hits');
  const said = await slack.mention({ text: '1012', threadTs: message.ts, extras: { files: [{ id: 'F1' }] } });
  await slack.say({ text: '1012', channel: '@ana' });
  await slack.edit(said.message, '<@U0SNAPSHOT> 1002');
  await slack.click({ message, actionId: 'more', value: 'compare' });
  const view = await slack.waitFor(() => slack.modals('ana').at(-1), 'the modal');
  await slack.submit({ view, values: { 'other-id': '1002' } });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.openHome();
  const payloads = slack.records.deliveries.map(({ payload }) => payload);
  let tried = 0;
  for (const payload of payloads) {
    const user = readDelivery(structuredClone(payload)).actor?.user;
    // The bot also receives its own messages, which have no actor.
    if (user === undefined) continue;
    for (const path of optionalIn(payload)) {
      const asNull = changed(payload, path, (parent, key) => Object.assign(parent, { [key]: null }));
      const absent = changed(payload, path, (parent, key) => void Reflect.deleteProperty(parent, key));
      for (const body of [asNull, absent]) {
        expect(readDelivery(body).actor?.user, path).toBe(user);
        tried += 1;
      }
    }
  }
  expect(tried).toBeGreaterThan(500);
});

test('A message is answered although every optional field of its event is null', async ({ world }) => {
  const { message } = await world.slack.say({ text: '1002' });
  const nulls = Object.fromEntries(
    ['bot_id', 'subtype', 'thread_ts', 'edited', 'team', 'user_team', 'files', 'blocks'].map((name) => [
      name,
      null,
    ]),
  );
  const said = { user: 'U0ANA', text: '1012', event_ts: '1.1', ...nulls };
  const type = 'message';
  await deliverEvent(world, { type, ...said, channel: 'D0ANABOT', channel_type: 'im', ts: '1.1' });
  await reads(world, '1 hit', { channel: '@ana' });
  await deliverEvent(world, {
    type: 'app_mention',
    ...said,
    text: '<@U0SNAPSHOT> 1002',
    channel: 'C0SUPPORT',
    ts: message.ts,
  });
  await reads(world, '180 checks');
});

test('A malformed event and an event that no listener handles each leave one log line, without the text', async ({
  world,
}) => {
  const text = 'a secret of somebody';
  const event = { type: 'app_mention', user: 'no id', channel: 'C0SUPPORT', text, ts: '1.1' };
  const before = refusals(world).length;
  expect(await deliverEvent(world, event)).toBe(400);
  expect(await deliverEvent(world, { type: 'pin_added', user: 'U0ANA', text })).toBe(200);
  expect(refusals(world).slice(before)).toEqual([
    expect.stringContaining('cannot have sent: user'),
    expect.stringContaining('"event":"pin_added"'),
  ]);
  expect(world.log.join('')).not.toContain(text);
});

const PATHS = [`//${'\\'.repeat(15_000)}`, '//', `/${'%'.repeat(9_000)}`, '/healthz/../..', 'http://[', '*'];

test.for(['http', 'socket'] as const)('No request path stops the bot, over %s', async (mode, { open }) => {
  const port = mode === 'http' ? 0 : await freePort();
  const world = await open({ mode, variables: { PORT: String(port) } });
  const at = mode === 'http' ? Number(new URL(world.address()).port) : port;
  for (const path of PATHS) {
    const status = await statusOf(at, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    // The status is 431 where the address exceeds the limit of all headers.
    expect([404, 431]).toContain(status);
  }
  await answersStill(world);
});

test('A body over 512 KB is refused before it is read, and one below is looked at', async ({ world }) => {
  const ofSize = (bytes: number) => `{"type":"${'x'.repeat(bytes)}"}`;
  expect(await world.slack.sendRaw(ofSize(600_000))).toBe(413);
  expect(await world.slack.sendRaw(ofSize(500_000))).toBe(400);
  await answersStill(world);
});
