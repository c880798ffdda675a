import { expect } from 'vitest';
import { OTHER_ID } from '../src/slack/messages/compare-modal.ts';
import { modal } from './harness/clicking.ts';
import { ask, SUPPORT, test as sequential } from './harness/conversation.ts';
import { ENTRANCES, expectRefused, PLACELESS, scene } from './harness/entrances.ts';
import { DM, MODES, reads, writes } from './harness/places.ts';
import type { Workplace } from './harness/workplace.ts';
import type { OpenView } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };

const EVERYWHERE = { ...ENTRANCES, ...PLACELESS };

for (const mode of MODES) {
  test.for(Object.entries(ENTRANCES))(
    `ALLOWED_CHANNELS refuses %s in another channel, also on what was posted before, over ${mode}`,
    async ([, enter], { open }) => {
      const workplace = await open({ mode, timing: PATIENT });
      const there = await scene(workplace, 'ana');
      await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
      await expectRefused(there, enter, 'may not be used in this conversation');
    },
  );

  test.for(Object.entries(EVERYWHERE))(
    `ALLOWED_USERGROUPS refuses %s of who is in none of them, over ${mode}`,
    async ([, enter], { open }) => {
      const workplace = await open({ mode, timing: PATIENT });
      const there = await scene(workplace, 'ben');
      await workplace.restart({ ALLOWED_USERGROUPS: 'S0ONCALL' });
      await expectRefused(there, enter, 'members of certain user groups');
    },
  );
}

test.for(Object.entries(ENTRANCES).filter(([name]) => !name.includes('command')))(
  'A member of another company in a shared channel is refused %s',
  async ([, enter], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const there = await scene(workplace, 'guest', 'C0PARTNERS');
    await expectRefused(there, enter, 'answers only people of the company');
  },
);

test('What another bot writes is not answered at all', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const { deliveries } = await workplace.slack.mention({ text: '1012', user: 'deploybot' });
  expect(deliveries[0]).toMatchObject({ acknowledged: true });
  await workplace.slack.command({ text: '1002' });
  await reads(workplace, '180 checks');
  expect(writes(workplace)).toEqual(['chat.postMessage']);
});

const ALLOWED: [what: string, variables: Record<string, string>][] = [
  ['in an allowed channel', { ALLOWED_CHANNELS: `C0WARROOM, ${SUPPORT}` }],
  ['to a member of an allowed group', { ALLOWED_USERGROUPS: 'S0OTHERS,S0ONCALL' }],
  ['where both are met', { ALLOWED_CHANNELS: SUPPORT, ALLOWED_USERGROUPS: 'S0ONCALL' }],
];

test.for(ALLOWED)('Everything works %s', async ([, variables], { open }) => {
  const workplace = await open({ timing: PATIENT, variables });
  workplace.slack.setUserGroup('S0OTHERS', []);
  const there = await scene(workplace, 'ana');
  const turned = () => workplace.slack.click({ message: there.result, actionId: 'page-next' });
  await turned();
  await reads(workplace, 'page 2 of');
  await workplace.slack.click({ message: there.result, actionId: 'details' });
  const details = await modal(workplace, 'hit-next', 'ana');
  const [title] = /Hit \d+ of 37/.exec(JSON.stringify(details.view)) ?? [];
  await workplace.slack.click({ view: details, actionId: 'hit-next' });
  await workplace.slack.waitFor(
    () => workplace.slack.modals().find(({ view }) => !JSON.stringify(view.title).includes(title ?? '')),
    'the next hit',
  );
  expect(JSON.stringify(workplace.slack.modals())).not.toContain('may not be used');
  await workplace.slack.mention({ text: '1012' });
  await reads(workplace, '1 hit');
});

test('When both are set, both must be met', async ({ open }) => {
  const variables = { ALLOWED_CHANNELS: 'C0WARROOM', ALLOWED_USERGROUPS: 'S0ONCALL' };
  const workplace = await open({ timing: PATIENT, variables });
  await workplace.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ben' });
  await workplace.slack.command({ text: '1012', channel: SUPPORT, user: 'ana' });
  expect(workplace.slack.messages('C0WARROOM', 'ben')[0]?.text).toContain('certain user groups');
  expect(workplace.slack.messages(SUPPORT, 'ana')[0]?.text).toContain('this conversation');
  expect(workplace.service.records.requests).toEqual([]);
});

/** The modal on top, once it can be filled in. */
function form({ slack }: Workplace): Promise<OpenView> {
  return slack.waitFor(() => slack.modals().find(({ view }) => view.submit !== undefined), 'the modal');
}

test('A modal does not lead into a channel that is not allowed', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: SUPPORT } });
  const { slack } = workplace;
  for (const values of [
    { id: '1012', where: 'C0WARROOM' },
    { id: '1012', where: 'C0RANDOM' },
    { id: '1012' },
  ]) {
    await slack.shortcut({ callbackId: 'look-up-snapshot' });
    const view = await form(workplace);
    await slack.submit({ view, values });
    expect(JSON.stringify(slack.modals())).toContain('may not be used in this conversation');
  }
  expect(workplace.service.records.requests).toEqual([]);
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.submit({ view: await form(workplace), values: { id: '1012', where: SUPPORT } });
  await reads(workplace, '1 hit');
});

test('A modal that was opened from a message is judged by the channel of the message, when it is sent', async ({
  open,
}) => {
  const workplace = await open({ timing: PATIENT });
  const { slack } = workplace;
  const { message } = await slack.say({ text: '10012345 or 10012346' });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  const view = await form(workplace);
  await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await slack.submit({ view, values: { id: '10012345' } });
  expect(JSON.stringify(slack.modals())).toContain('may not be used in this conversation');
  expect(workplace.service.records.requests).toEqual([]);
});

const RULES: [rule: Record<string, string>, words: string][] = [
  [{ ALLOWED_CHANNELS: 'C0WARROOM' }, 'may not be used in this conversation'],
  [{ ALLOWED_USERGROUPS: 'S0ONCALL' }, 'members of certain user groups'],
];

test.for(RULES)(
  'With %s, nothing can be done in the details that were opened before',
  async ([rule, words], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const { result } = await scene(workplace, 'ben');
    await workplace.slack.click({ message: result, actionId: 'details', user: 'ben' });
    const details = await modal(workplace, 'hit-next');
    await workplace.restart(rule);
    await workplace.slack.click({ view: details, actionId: 'hit-next', user: 'ben' });
    expect(JSON.stringify((await modal(workplace, words)).view)).not.toContain('hit-next');
  },
);

test.for(RULES)(
  'With %s, nothing can be compared in the modal that was opened before',
  async ([rule, words], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const { result } = await scene(workplace, 'ben');
    await workplace.slack.click({ message: result, actionId: 'more', value: 'compare', user: 'ben' });
    const comparing = await modal(workplace, 'Compare');
    await workplace.restart(rule);
    await workplace.slack.submit({ view: comparing, values: { [OTHER_ID]: '1002' } });
    await modal(workplace, words);
    expect(workplace.service.records.requests.filter(({ id }) => id === '1002')).toEqual([]);
  },
);

test('Where direct messages are not allowed they are refused there', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: SUPPORT } });
  await workplace.slack.say({ text: '1012', channel: DM });
  await reads(workplace, 'may not be used', { channel: DM });
  expect(workplace.service.records.requests).toEqual([]);
});

test('The Home tab leaves out what was asked where the bot may not be used any more', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await ask(workplace, '1012');
  await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await workplace.slack.openHome();
  const home = await workplace.slack.waitFor(() => workplace.slack.home(), 'the Home tab');
  expect(JSON.stringify(home.view)).toContain('None in the last days.');
});

test('Who is not allowed is left in peace when only speaking of the bot', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: 'C0WARROOM' } });
  await workplace.slack.mention({ text: 'is great' });
  await workplace.slack.command({ text: '1012', channel: 'C0WARROOM' });
  await reads(workplace, '1 hit', { channel: 'C0WARROOM' });
  expect(writes(workplace)).toEqual(['chat.postMessage']);
});
