import { expect } from 'vitest';
import { reads } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { statusOf } from '../support/raw-request.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const FORM = 'application/x-www-form-urlencoded';
const DEEP = 20_000;

/** JSON that Slack never sends: no object, without who or what, of other types, far too deep. */
const ODD = [
  ...['null', '0', '"text"', 'true', '[]', '[null]', '{}', '{"type":null}', '{"type":"block_actions"}', ''],
  ...['{', 'nonsense', '{"type":"event_callback"}', '{"type":"event_callback","event":null}'],
  '{"type":"event_callback","event":{"type":null}}',
  '{"type":"block_actions","user":null,"actions":[null]}',
  '{"type":"block_actions","user":{"id":"U0ANA"},"actions":[]}',
  '{"type":"view_submission","view":null}',
  '{"type":"view_submission","user":{"id":"U0ANA"},"trigger_id":"1","view":{"id":"V1","type":"modal"}}',
  '{"type":"shortcut","callback_id":"look-up-snapshot"}',
  '{"type":"message_action","user":{"id":"U0ANA"},"callback_id":"diagnose-snapshot","trigger_id":"1"}',
  '{"command":"/snapshot","text":"1012"}',
  '{"command":"/snapshot","text":"1012","user_id":""}',
  '{"command":{"__proto__":1},"user_id":["U0ANA"],"__proto__":{"user_id":"U0ANA"}}',
  `${'{"type":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
];

async function answersStill(world: World): Promise<void> {
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, '1 hit');
}

/**
 * The log lines about deliveries. Those of the checks at the start, which may still run, name a repair and are left
 * out.
 */
function refusals({ log }: World): string[] {
  return log.filter((line) => /"level":"(?:warn|error)"/.test(line) && !line.includes('"repair"'));
}

test('Over HTTP a signed body that Slack never sends is refused with one line in the log, and the process lives', async ({
  open,
}) => {
  const world = await open();
  const bodies: [body: string, type?: string][] = [
    ...ODD.map((body): [string] => [body]),
    ...ODD.map((body): [string, string] => [new URLSearchParams({ payload: body }).toString(), FORM]),
    ['', FORM],
    ['command=%2Fsnapshot&text=1012', FORM],
    ['command=%2Fsnapshot&command=%2Fsnapshot&user_id=U0ANA&user_id=U0BEN', FORM],
    ['payload=null&payload=null', FORM],
    ['%%%=%', FORM],
  ];
  for (const [body, type] of bodies) {
    const before = refusals(world).length;
    expect(await world.slack.sendRaw(body, type), `${type} ${body.slice(0, 80)}`).toBe(400);
    expect(refusals(world).slice(before), body.slice(0, 80)).toHaveLength(1);
  }
  await answersStill(world);
});

test('Over Socket Mode a frame that Slack never sends is ignored with one line in the log, and the process lives', async ({
  open,
}) => {
  const world = await open({ mode: 'socket' });
  const envelope = (type: string, payload: string) =>
    `{"type":"${type}","envelope_id":"e1","payload":${payload || 'null'}}`;
  const frames = [
    ...ODD,
    ...['null', '0', '[]', '{"event":null}', '{"event":{"type":null}}'].map((body) =>
      envelope('events_api', body),
    ),
    ...['null', '0', '"text"'].flatMap((body) => [
      envelope('slash_commands', body),
      envelope('interactive', body),
    ]),
    ...['error', 'disconnected', 'close', '__proto__'].map((type) => envelope(type, '{}')),
  ];
  for (const frame of frames) {
    const before = refusals(world).length;
    await world.slack.sendRaw(frame);
    await eventually(() => expect(refusals(world), frame.slice(0, 80)).toHaveLength(before + 1));
  }
  expect(refusals(world)).toHaveLength(frames.length);
  await answersStill(world);
});

const PATHS = [`//${'\\'.repeat(15_000)}`, '//', `/${'%'.repeat(9_000)}`, '/healthz/../..', 'http://[', '*'];

for (const mode of ['http', 'socket'] as const) {
  test(`No request path stops the bot, over ${mode}`, async ({ open }) => {
    const port = mode === 'http' ? 0 : await freePort();
    const world = await open({ mode, variables: { PORT: String(port) } });
    const at = mode === 'http' ? Number(new URL(world.address()).port) : port;
    for (const path of PATHS) {
      const status = await statusOf(at, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      // 431: the address is longer than all headers may be.
      expect([404, 431]).toContain(status);
    }
    await answersStill(world);
  });
}

test('A body over 512 KB is refused before it is read, and one below is looked at', async ({ open }) => {
  const world = await open();
  const ofSize = (bytes: number) => `{"type":"${'x'.repeat(bytes)}"}`;
  expect(await world.slack.sendRaw(ofSize(600_000))).toBe(413);
  expect(await world.slack.sendRaw(ofSize(500_000))).toBe(400);
  await answersStill(world);
});
