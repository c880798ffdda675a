import { expect, test } from 'vitest';
import { identityThrough } from '../../../../src/slack/connection/identity.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../../support/scripted-slack.ts';

function asking(...answers: ScriptedAnswer[]) {
  const { client, calls } = scriptedSlack(() => answers.shift() ?? 'unexpected');
  return { identity: identityThrough(client), calls };
}

test('Slack is asked once who the bot is, however many ask at once', async () => {
  const { identity, calls } = asking({ user_id: 'U0BOT', team_id: 'T1', enterprise_id: 'E1' });
  const known = { user: 'U0BOT', teams: ['T1'], enterprise: 'E1' };
  expect(await Promise.all([identity(), identity()])).toEqual([known, known]);
  expect(await identity()).toEqual(known);
  expect(calls).toHaveLength(1);
});

test('A failure is not remembered: the next one who asks learns it', async () => {
  const { identity } = asking('internal_error', { user_id: 'U0BOT', team_id: 'T1' });
  await expect(identity()).rejects.toThrow('internal_error');
  expect(await identity()).toEqual({ user: 'U0BOT', teams: ['T1'] });
});

test('An app of a whole organisation has no workspace of its own', async () => {
  expect(await asking({ user_id: 'U0BOT', enterprise_id: 'E1' }).identity()).toEqual({
    ...{ user: 'U0BOT', teams: [], enterprise: 'E1' },
  });
});
