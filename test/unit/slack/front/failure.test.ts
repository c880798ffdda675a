import { webApi } from '@slack/bolt';
import pino from 'pino';
import { expect, test } from 'vitest';
import { UnreadableValue } from '../../../../src/slack/block-kit/action-values.ts';
import { tellFailure } from '../../../../src/slack/front/answer-alone.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import type { Actor } from '../../../../src/slack/front/delivery.ts';
import { NotSlack } from '../../../../src/slack/front/slack-client.ts';

const ACTOR: Actor = {
  entryPoint: { kind: 'command', responseUrl: 'https://hooks.slack.com/commands/1' },
  user: 'U0ANA',
  team: 'T0HOME',
  channels: ['C0SUPPORT'],
};

test('A bug in a listener is told with the reference that finds its line in the log and in the status', async () => {
  const log: string[] = [];
  const references: string[] = [];
  const answers: unknown[] = [];
  const context = {
    logger: pino({}, { write: (line) => void log.push(line) }),
    operator: { contact: '#bot-help', loginUrl: 'https://login.example' },
    onBug: (reference: string) => references.push(reference),
  } as unknown as ListenerContext;
  const sender = {
    actor: ACTOR,
    ack: async (answer?: object) => void answers.push(answer),
    isAcknowledged: () => false,
    botUser: 'U0SNAPSHOT',
  } as never;
  await tellFailure(new TypeError('x is undefined'), sender, context);
  const [reference = ''] = references;
  expect(reference).toMatch(/^[0-9a-f]{8}$/);
  expect(answers).toEqual([
    expect.objectContaining({
      response_type: 'ephemeral',
      text: expect.stringMatching(`A bug in Snapshot stopped this.*ask #bot-help.*${reference}`),
    }),
  ]);
  expect(log).toEqual([expect.stringContaining(`"reference":"${reference}"`)]);
  expect(log[0]).toContain('x is undefined');
});

test.each([
  ['an address that is not Slack’s', new NotSlack(), 'warn', /refused an address/, 0],
  ['a value of another version', new UnreadableValue(), 'warn', /./, 0],
  ['a refusal of Slack', new webApi.WebAPIPlatformError({ ok: false, error: 'x' }), 'error', /Slack/, 0],
  ['a bug', new TypeError('x is undefined'), 'error', /because of a bug/, 1],
])('%s is logged as that', async (_what, error, level, words, bugs) => {
  const log: string[] = [];
  const references: string[] = [];
  const context = {
    logger: pino({}, { write: (line) => void log.push(line) }),
    operator: { contact: '#bot-help', loginUrl: 'https://login.example' },
    onBug: (reference: string) => references.push(reference),
  } as unknown as ListenerContext;
  const sender = {
    actor: ACTOR,
    ack: async () => {},
    isAcknowledged: () => false,
    botUser: 'U0SNAPSHOT',
  } as never;
  await tellFailure(error, sender, context);
  const [line = '{}'] = log;
  const number = level === 'warn' ? 40 : 50;
  expect(JSON.parse(line)).toMatchObject({ level: number, entryPoint: 'command', user: 'U0ANA' });
  expect(JSON.parse(line).msg).toMatch(words);
  expect([log.length, references.length]).toEqual([1, bugs]);
});
