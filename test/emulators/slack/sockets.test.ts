import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Json, parseJson, record } from './json.ts';
import { type Slack, startSlack } from './slack.ts';

let slack: Slack;
beforeEach(async () => {
  slack = await startSlack({ mode: 'socket', ackLimitMs: 200, retryDelaysMs: [0] });
});
afterEach(() => slack.close());

async function ticket(): Promise<string> {
  const headers = { authorization: `Bearer ${slack.appToken}` };
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  return String(record(await answer.json()).url);
}

/** Connects a bare client. It acknowledges each envelope with what `take` returns; undefined leaves it unacknowledged. */
async function connect(
  take: (envelope: Json) => Json | undefined,
): Promise<{ socket: WebSocket; got: Json[] }> {
  const socket = new WebSocket(await ticket());
  const got: Json[] = [];
  socket.on('message', (data) => {
    const envelope = record(parseJson(String(data)));
    got.push(envelope);
    const payload = envelope.envelope_id === undefined ? undefined : take(envelope);
    if (payload) socket.send(JSON.stringify({ envelope_id: envelope.envelope_id, payload }));
  });
  await once(socket, 'message');
  return { socket, got };
}

test('an unacknowledged envelope is a breach, and an event is sent again', async () => {
  let refusals = 1;
  const { got } = await connect(() => (refusals-- > 0 ? undefined : {}));
  await slack.mention({ text: '1' });
  const again = await slack.waitFor(() => got[2], 'the second attempt');
  expect(again).toMatchObject({
    envelope_id: got[1]?.envelope_id,
    retry_attempt: 1,
    payload: got[1]?.payload,
  });
  expect(slack.records.breaches).toEqual([expect.stringContaining('unacknowledged: event, timeout')]);
});

test('a ticket opens one socket, and a second use is a breach', async () => {
  const url = await ticket();
  const first = new WebSocket(url);
  await once(first, 'open');
  const second = new WebSocket(url);
  await once(second, 'error');
  expect(slack.records.breaches).toHaveLength(1);
});

test('acknowledging an unknown envelope is a breach', async () => {
  const { socket } = await connect(() => undefined);
  socket.send(JSON.stringify({ envelope_id: 'x' }));
  await slack.waitFor(() => slack.records.breaches[0], 'the breach');
});
