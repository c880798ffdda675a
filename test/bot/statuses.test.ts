import { expect } from 'vitest';
import {
  ask,
  askDuringFault,
  ended,
  offers,
  test as sequential,
  shown,
  waits,
} from '../support/conversation.ts';
import { SLOW } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';

const test = sequential.concurrent;
/** The body of an error, which no user may see. */
const PRIVATE = 'Reference 7f3a-11 <!channel>';

test('A final HTTP status is requested once, and its body is shown to nobody', async ({ world }) => {
  const headers = { 'content-type': 'text/html', location: 'https://<!channel>' };
  for (const status of [404, 302]) {
    world.service.nextAnswers([{ status, headers, body: PRIVATE }]);
    const message = await ask(world, '1012');
    expect(message.text).toMatch(status === 404 ? 'was not found' : 'can’t use');
    expect(JSON.stringify(message.blocks) + message.text).not.toMatch(/7f3a-11|!channel/);
  }
  expect(world.service.records.requests).toHaveLength(2);
  expect(world.service.records.logins).toHaveLength(1);
});

test('A snapshot that goes away while it is processed is waited for no longer', async ({ world }) => {
  await beginWait(world);
  world.service.shelve('7001', { ...SLOW, status: 404 });
  const gone = await shown(world, 'Snapshot 7001 was not found.');
  expect(gone.text).toContain('The service deletes snapshots after about 30 days');
});

test('A Retry-After of the service holds for every snapshot, and after a restart', async ({ open }) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.05' } });
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': '900' } }]);
  const message = await askDuringFault(world, '1012');
  expect(message.text).toContain('pause its requests');
  expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
  await world.restart();
  expect((await askDuringFault(world, '1002')).text).toContain('pause its requests');
  // WAIT_LIMIT_MINUTES ends both waits long before the Retry-After.
  for (const { text } of await ended(world, 2)) expect(text).toMatch(/still no result.*pause its requests/);
  expect(world.service.records.requests).toHaveLength(1);
});

test('A reason can neither page anyone nor fill the channel', async ({ world }) => {
  const body = `<!channel> <@U0BEN> *now* ${'and so on '.repeat(20_000)}`;
  world.service.nextAnswers([{ status: 202, body }]);
  await world.slack.command({ text: '1012' });
  await shown(world, 'still being processed');
  const [message] = waits(world);
  expect(message?.text).not.toMatch(/<[!@#]/);
  expect(message?.text.length).toBeLessThan(500);
  await shown(world, '1 hit');
});
