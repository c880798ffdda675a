import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { atRest, measures, metricsOf } from '../support/at-rest.ts';
import { ask, shown, test } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { beginWait } from '../support/slack-troubles.ts';

const { version } = packageFile;

type Endpoint = { readonly status: number; readonly text: string };

async function get(address: string, path: string): Promise<Endpoint> {
  const answer = await fetch(address + path);
  return { status: answer.status, text: await answer.text() };
}

test('Over HTTP the bot says that it lives, that it is ready, and what it counts', async ({ world }) => {
  await ask(world, '1012');
  await ask(world, '7001');
  await atRest(world.address());
  const health = await get(world.address(), '/healthz');
  expect(health.status).toBe(200);
  expect(JSON.parse(health.text)).toEqual({ status: 'ok', version, uptimeSeconds: expect.any(Number) });
  const readiness = await get(world.address(), '/readyz');
  expect(readiness.status).toBe(200);
  expect(JSON.parse(readiness.text)).toEqual({ ready: true, reasons: [] });
  const { status, text } = await get(world.address(), '/metrics');
  expect(status).toBe(200);
  for (const line of [
    'snapshot_bot_service_answers_total{upstream="login servers",status="200"} 1',
    'snapshot_bot_service_answers_total{upstream="diagnostics service",status="404"} 1',
    'snapshot_bot_lookups_total{outcome="ready"} 1',
    'snapshot_bot_lookups_total{outcome="snapshot-not-found"} 1',
    'snapshot_bot_open_lookups 0',
    'snapshot_bot_oldest_lookup_age_seconds 0',
    'snapshot_bot_logins_total{outcome="succeeded"} 1',
    'snapshot_bot_polls_total{outcome="ready"} 1',
    'snapshot_bot_polls_total{outcome="snapshot-not-found"} 1',
    'snapshot_bot_deliveries_total{kind="command",outcome="served"} 2',
    'snapshot_bot_acknowledgement_seconds_count{kind="command"} 2',
    'snapshot_bot_answer_seconds_count{waited="false"} 2',
    'snapshot_bot_slack_answers_total{status="200"}',
    'snapshot_bot_ready 1',
    `snapshot_bot_info{version="${version}"} 1`,
  ]) {
    expect(text).toContain(line);
  }
});

test('In Socket Mode, too, /healthz, /readyz and /metrics are served', async ({ open }) => {
  const port = await freePort();
  const world = await open({ mode: 'socket', variables: { PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect((await get(address, '/healthz')).text).toContain(version);
  expect(await get(address, '/readyz')).toEqual({ status: 200, text: '{"ready":true,"reasons":[]}\n' });
  await measures({ address: () => address }, 'snapshot_bot_lookups_total{outcome="ready"} 1');
});

test('OPS_PORT serves health and metrics, and then Slack has its own port for itself', async ({ open }) => {
  const port = await freePort();
  const world = await open({ variables: { OPS_PORT: String(port) } });
  await ask(world, '1012');
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await get(`http://127.0.0.1:${port}`, path)).status).toBe(200);
    expect((await get(world.address(), path)).status).toBe(404);
  }
  expect((await get(`http://127.0.0.1:${port}`, '/slack/events')).status).toBe(404);
});

test('A token that Slack refuses is a reason and a metric until a call succeeds', async ({ world }) => {
  const reasons = async () => JSON.parse((await get(world.address(), '/readyz')).text).reasons;
  for (const error of ['token_revoked', 'invalid_auth', 'account_inactive', 'not_authed']) {
    world.slack.failNext('chat.postMessage', { error });
    await world.slack.command({ text: '1012' });
  }
  const refused = 'snapshot_bot_slack_answers_total{status="refused"}';
  await measures(world, `${refused} 4`);
  await ask(world, '1001');
  await eventually(async () => expect(await reasons()).toEqual([]));
  world.slack.failNext('*', ...Array.from({ length: 50 }, () => ({ error: 'token_revoked' })));
  await world.slack.command({ text: '1012', user: 'ben' });
  const told = [{ part: 'slack token', problem: 'Slack refuses SLACK_BOT_TOKEN (token_revoked)' }];
  await eventually(async () => expect(await reasons()).toEqual(told));
  expect((await get(world.address(), '/readyz')).status).toBe(200);
  await measures(world, 'snapshot_bot_trouble{part="slack token"} 1');
});

test('The log tells the life of a lookup by one id, what the libraries say of it too', async ({ open }) => {
  const world = await open({ variables: { LOG_LEVEL: 'trace' } });
  await ask(world, '1012');
  await atRest(world.address());
  const lines = world.log.map((line) => JSON.parse(line));
  const { lookup } = lines.find(({ msg }) => msg === 'lookup accepted');
  expect(lookup).toMatch(/^[\da-f-]{36}$/);
  const told = lines.filter((line) => line.lookup === lookup).map(({ msg }) => msg);
  expect(told[0]).toBe('lookup accepted');
  expect(told.at(-1)).toBe('lookup ended');
  const ofSlack = lines.filter(({ part, msg }) => part === 'slack' && msg.includes('chat.postMessage'));
  expect(ofSlack.length).toBeGreaterThan(0);
  for (const line of ofSlack) expect(line.lookup).toBe(lookup);
});

test('The log and the status say why a lookup got no result, also when it waited in vain', async ({
  open,
}) => {
  const variables = { ADMINS: 'U0ANA', LOG_LEVEL: 'info', WAIT_LIMIT_MINUTES: '0.02' };
  const world = await open({ variables });
  const end = async (id: string) => {
    await ask(world, id);
    await atRest(world.address());
    return JSON.parse(world.log.findLast((line) => line.includes('"lookup ended"')) ?? '{}').why;
  };
  world.service.nextAnswers([{ status: 418 }]);
  expect(await end('1012')).toBe('the diagnostics service answered with an unexpected status 418');
  world.service.switches.apiStatus = 503;
  expect(await end('1012')).toBe('the diagnostics service failed (status 503)');
  world.service.switches.resetConnections = true;
  expect(await end('1002')).toMatch(
    /could not be reached: ended-early \(localhost:\d+\) \(UND_ERR_SOCKET\)$|ECONNRESET/,
  );
  const { body } = await world.slack.command({ text: 'status', user: 'U0ANA' });
  expect(String(body)).toMatch(
    /unreachable · reference.*service-failed · reference.*unexpected-answer · ref/,
  );
});

const HELP = /^# HELP (snapshot_bot_\w+) /gm;
const DOCUMENTED = /^\| `(snapshot_bot_\w+)` \|/gm;

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted();
}

test('docs/reference.md names each metric of a bot that runs, and no other one', async ({ open }) => {
  const documented = namesIn(readFileSync('docs/reference.md', 'utf8'), DOCUMENTED);
  expect(documented).toEqual(namesIn(await metricsOf(await open()), HELP));
});

test('A step that is retried is counted', async ({ world }) => {
  world.slack.failNext('chat.postMessage', { error: 'internal_error' });
  await ask(world, '1012');
  expect(await metricsOf(world)).toContain('snapshot_bot_retries_total 1\n');
});

test('A lookup whose step kills the process each time ends as a bug, with a reference to the log', async ({
  world,
}) => {
  await beginWait(world, '7002');
  await world.stopBot();
  const database = new DatabaseSync(join(world.dataDir, 'snapshot-bot.sqlite'));
  database.exec('UPDATE jobs SET attempts = 4');
  database.close();
  await world.restart();
  await atRest(world.address());
  expect(await metricsOf(world)).toContain('snapshot_bot_bugs_total 1\n');
  const { text } = await shown(world, 'A bug in the bot');
  const [told] = /\b[\da-f]{8}\b/.exec(text) ?? ['none'];
  const found = world.log.map((line) => JSON.parse(line)).filter(({ reference }) => reference === told);
  expect(found.map(({ msg }) => msg)).toContain('a lookup failed because of a bug');
});

test('A stored value that cannot be read with the present key is counted', async ({ world }) => {
  await ask(world, '1012');
  await world.restart({ STATE_KEY: Buffer.alloc(32, 1).toString('base64') });
  await ask(world, '1002');
  await world.restart({ STATE_KEY: Buffer.alloc(32, 2).toString('base64') });
  await world.slack.openHome('U0ANA');
  expect(await metricsOf(world)).toMatch(/^snapshot_bot_unreadable_state_total [1-9]/m);
});
