import { MockAgent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { Storage } from '../../../src/storage/backend/storage.ts';
import { USER_AGENT } from '../../../src/version.ts';
import { createConnection, createSlack } from '../../../src/wiring/slack.ts';
import { basing } from '../../support/observed-base.ts';

type Agent = Parameters<typeof createConnection>[1];

/** The side of Slack, with nothing started; Slack answers each call with this. */
function slackSide(settings: Readonly<Record<string, string>> = {}) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  onTestFinished(() => agent.close());
  const called: unknown[] = [];
  agent
    .get('https://slack.com')
    .intercept({ path: '/api/chat.postMessage', method: 'POST' })
    .reply((options) => {
      const headers = Object.entries(options.headers as Record<string, unknown>);
      called.push(headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1]);
      return { statusCode: 200, data: '{"ok":true,"ts":"1.1"}' };
    });
  const based = basing(settings);
  const { base } = based;
  const withRoutes = { ...base, observation: { ...base.observation, slackPortRoutes: [] } };
  const connection = createConnection(withRoutes, agent as unknown as Agent);
  const storage = { store: base.store, reminders: {} } as unknown as Storage;
  const { listening } = createSlack(base, connection, storage, agent as unknown as Agent);
  return { ...based, called, connection, listening };
}

test('Slack is told which program calls, and its answers are counted', async () => {
  const { connection, called, metrics } = slackSide();
  await connection.messages.chat.postMessage({ channel: 'C1', text: 'hello' });
  expect(called).toEqual([expect.stringContaining(USER_AGENT.split(' ')[0] ?? '')]);
  expect(await metrics(/slack_answers_total/)).toEqual(['snapshot_bot_slack_answers_total{status="200"} 1']);
});

test('Listeners name the configured contact without markup, and the page of the login', () => {
  const { listening } = slackSide({
    ...{ CONTACT: '@channel *now*', DIAGNOSTICS_LOGIN_URL: 'https://page.example' },
  });
  expect(listening.operator).toEqual({ contact: '＠channel ∗now∗', loginUrl: 'https://page.example' });
});

test('A person has the configured share, and what listeners report is counted and noted', async () => {
  const { listening, metrics, observation, clock } = slackSide({ COMMANDS_PER_MINUTE: '2' });
  expect([1, 2, 3].map(() => listening.fairShare.take('U1', 1))).toEqual([true, true, false]);
  listening.onDelivery('command', 'refused');
  expect(await metrics(/deliveries_total/)).toEqual([
    'snapshot_bot_deliveries_total{kind="command",outcome="refused"} 1',
  ]);
  listening.onBug('r1');
  expect(observation.events.faults).toEqual([{ at: clock.now, code: 'bug', reference: 'r1' }]);
});
