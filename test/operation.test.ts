import { expect } from 'vitest';
import { ask, test } from './harness/conversation.ts';
import { freePort } from './harness/redis.ts';

type Endpoint = { readonly status: number; readonly text: string };

async function get(address: string, path: string): Promise<Endpoint> {
  const answer = await fetch(address + path);
  return { status: answer.status, text: await answer.text() };
}

test('Over HTTP the bot says that it lives, that it is ready, and what it counts', async ({ open }) => {
  const workplace = await open();
  await ask(workplace, '1012');
  await ask(workplace, '7001');
  expect(await get(workplace.address(), '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(workplace.address(), '/readyz')).toEqual({ status: 200, text: 'ready\n' });
  const { status, text } = await get(workplace.address(), '/metrics');
  expect(status).toBe(200);
  for (const line of [
    'snapshot_bot_service_answers_total{neighbour="login servers",status="200"} 1',
    'snapshot_bot_service_answers_total{neighbour="diagnostics service",status="404"} 1',
    'snapshot_bot_lookups_total{outcome="ready"} 1',
    'snapshot_bot_lookups_total{outcome="snapshot-not-found"} 1',
    'snapshot_bot_open_lookups 0',
  ]) {
    expect(text).toContain(line);
  }
});

test('In Socket Mode the same endpoints are there', async ({ open }) => {
  const port = await freePort();
  const workplace = await open({ mode: 'socket', variables: { PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  expect(await get(address, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(address, '/readyz')).toEqual({ status: 200, text: 'ready\n' });
  expect((await get(address, '/metrics')).text).toContain('snapshot_bot_lookups_total{outcome="ready"} 1');
});

test('A lookup is counted as open as long as it waits', async ({ open }) => {
  const workplace = await open();
  workplace.service.nextAnswers([{ status: 202 }]);
  await workplace.slack.command({ text: '1012' });
  expect((await get(workplace.address(), '/metrics')).text).toContain('snapshot_bot_open_lookups 1');
  await ask(workplace, '1002');
  await workplace.slack.waitFor(() => workplace.slack.messages('C0SUPPORT')[1], 'both');
  await expect
    .poll(async () => (await get(workplace.address(), '/metrics')).text)
    .toContain('snapshot_bot_open_lookups 0');
});

test('After a restart no more lookups are open than there were', async ({ open }) => {
  const workplace = await open();
  await ask(workplace, '1012');
  await ask(workplace, '1002');
  await workplace.restart();
  expect((await get(workplace.address(), '/metrics')).text).toContain('snapshot_bot_open_lookups 0');
  expect(workplace.log.filter((line) => line.includes('bug') || line.includes('repeated'))).toEqual([]);
});

test('Nothing else is served', async ({ open }) => {
  const workplace = await open();
  for (const path of ['/', '/slack', '/state.key', '/metrics/..%2f..%2fpackage.json']) {
    expect((await get(workplace.address(), path)).status).toBe(404);
  }
});
