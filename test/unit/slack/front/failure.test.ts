import pino from 'pino';
import { expect, test } from 'vitest';
import { tellFailure } from '../../../../src/slack/front/answer-alone.ts';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import type { Actor } from '../../../../src/slack/front/delivery.ts';

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
