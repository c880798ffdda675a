import { expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, SUPPORT, test } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const ADMINS = { ADMINS: 'U0ANA' };

/** What a person privately sees after `status`. */
async function status({ slack }: World, user = 'U0ANA'): Promise<string> {
  const { body } = await slack.command({ text: ' Status ', user });
  const { response_type, text, blocks } = JSON.parse(String(body));
  expect(response_type).toBe('ephemeral');
  return [text, ...textsOf(blocks, 'text')].join('');
}

test('An admin sees the status, privately, without a request to the service', async ({ open }) => {
  const world = await open({ variables: ADMINS });
  await ask(world, '1012');
  await ask(world, '7001');
  await atRest(world.address());
  const text = await status(world);
  expect(text).toMatch(/healthy.*Version: .*Session: valid.*Open lookups: 0/s);
  const [, reference = 'none'] = /snapshot-not-found · reference ([\da-f]{8})/.exec(text) ?? [];
  expect(world.log.filter((line) => line.includes(reference)).length).toBeGreaterThan(0);
  expect(world.service.records.requests).toHaveLength(2);
});

test('While the login is refused, the status names that problem, and no session', async ({ open }) => {
  const world = await open({ variables: ADMINS });
  world.service.switches.loginRefused = true;
  await ask(world, '1012');
  expect(await status(world)).toMatch(/The bot has problems: login\..*Session: none/s);
});

test('A person who is no admin is told so, and so is everybody if there are no admins', async ({ open }) => {
  const world = await open({ variables: ADMINS });
  expect(await status(world, 'U0BEN')).toContain('Only the admins of this bot can see its status.');
  const other = await open();
  expect(await status(other)).not.toContain('Version');
});

test('A mention that asks for the status is told where to ask, and shows nothing', async ({ open }) => {
  const { slack } = await open({ variables: ADMINS });
  await slack.mention({ text: 'status', user: 'U0ANA' });
  const told = await slack.waitFor(
    () => slack.messages(SUPPORT, 'U0ANA').find(({ text }) => text.includes('type it as a command')),
    'the notice',
  );
  expect(told.ephemeral).toBe(true);
});

test('The help names the status for admins, and for nobody else', async ({ open }) => {
  const world = await open({ variables: ADMINS });
  const { slack } = world;
  const commandsFor = async (user: string) => {
    await slack.command({ text: 'help', user });
    const message = await reads(world, 'What the analysis', { viewer: user });
    await slack.click({ message, actionId: 'all-commands', user });
    return JSON.stringify((await modal(world, '/snapshot help', user)).view);
  };
  expect(await commandsFor('ana')).toContain('/snapshot status');
  expect(await commandsFor('ben')).not.toContain('/snapshot status');
});
