import { expect } from 'vitest';
import { reads } from '../support/bot-messages.ts';
import { ask, test } from '../support/conversation.ts';

test('Refusals and faults name whom CONTACT says, without markup or a mention', async ({ open }) => {
  const world = await open({ variables: { CONTACT: '*#bot-help* @channel', ALLOWED_CHANNELS: 'C0SUPPORT' } });
  world.service.nextAnswers([{ status: 406 }]);
  expect((await ask(world, '1012')).text).toContain('Ask ∗#bot-help∗ ＠channel to check DIAGNOSTICS_VENDOR.');
  await world.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ana' });
  await reads(world, 'Ask ∗#bot-help∗ ＠channel to allow it here.', { channel: 'C0WARROOM', viewer: 'ana' });
});

test('Without CONTACT they name the bot admin', async ({ world }) => {
  world.service.nextAnswers([{ status: 406 }]);
  expect((await ask(world, '1012')).text).toContain('Ask your bot admin to check DIAGNOSTICS_VENDOR.');
});
