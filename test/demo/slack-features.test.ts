import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Json, parseJson, record, string } from '../emulators/slack/json.ts';
import type { BareBot } from '../emulators/slack/testing/bare-bot.ts';
import { has } from '../support/needs.ts';
import { DESKTOP } from './browser.ts';
import { openPageOfBareBot, type PageFixture } from './page-fixture.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(`Option ${value}`), value });

const MODAL = {
  type: 'modal',
  title: plain('Diagnose'),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input',
      block_id: 'id',
      label: plain('Snapshot id'),
      element: { type: 'plain_text_input', action_id: 'id' },
    },
    {
      type: 'input',
      block_id: 'set',
      label: plain('Which checks'),
      element: { type: 'radio_buttons', action_id: 'set', options: ['hit', 'miss'].map(option) },
    },
    {
      type: 'input',
      block_id: 'where',
      optional: true,
      label: plain('Post to'),
      element: { type: 'conversations_select', action_id: 'where' },
    },
  ],
};

/** A minimal bot: records each delivery, and answers it with a function of the test. */
let told: Json[] = [];
let acknowledgement: Json | undefined;
let fixture: PageFixture<BareBot>;
let page: Page;

function hear(response: ServerResponse, { body }: { body: string }): void {
  const form = new URLSearchParams(body).get('payload');
  told.push(record(parseJson(form ?? body)));
  response.end(acknowledgement && JSON.stringify(acknowledgement));
}

const last = () => told.at(-1) ?? {};

describe.runIf(has('chromium'))('the small Slack', () => {
  beforeEach(async () => {
    told = [];
    acknowledgement = undefined;
    fixture = await openPageOfBareBot({ domains: [] }, hear);
    page = await fixture.visit(DESKTOP);
  });
  afterEach(() => fixture.close());

  test('a global shortcut opens a modal; errors are shown in it; then it is submitted', async () => {
    await page.getByRole('button', { name: 'Look up a snapshot' }).click();
    await fixture.behind.call('views.open', { trigger_id: (await nextTold()).trigger_id, view: MODAL });
    const modal = page.getByRole('dialog', { name: 'Diagnose' });
    await modal.getByLabel('Snapshot id').fill('nonsense');
    await modal.getByLabel('Option miss').check();
    await modal.getByLabel('Post to').selectOption({ label: '#support' });
    acknowledgement = { response_action: 'errors', errors: { id: 'That is no id.' } };
    await modal.getByRole('button', { name: 'Go' }).click();
    await modal.getByText('That is no id.').waitFor();
    acknowledgement = undefined;
    await modal.getByLabel('Snapshot id').fill('1001');
    await modal.getByRole('button', { name: 'Go' }).click();
    await modal.waitFor({ state: 'detached' });
    expect(record(record(last().view).state).values).toMatchObject({
      id: { id: { value: '1001' } },
      set: { set: { selected_option: { value: 'miss' } } },
      where: { where: { selected_conversation: 'C0SUPPORT' } },
    });
  });

  test('a field keeps what was typed while its ids stay, and takes no more than its maximum', async () => {
    const shown = (block_id: string) => ({
      ...MODAL,
      blocks: [
        {
          type: 'input',
          block_id,
          label: plain('Search for'),
          element: { type: 'plain_text_input', action_id: 'search', max_length: 4 },
        },
      ],
    });
    await page.getByRole('button', { name: 'Look up a snapshot' }).click();
    const { trigger_id } = await nextTold();
    const answer = await fixture.behind.call('views.open', { trigger_id, view: shown('first') });
    const field = page.getByRole('dialog', { name: 'Diagnose' }).getByLabel('Search for');
    await field.pressSequentially('tmm cores');
    const read = async (block: string) => {
      const view_id = record(answer.view).id;
      await fixture.behind.call('views.update', {
        view_id,
        view: { ...shown(block), title: plain(`Is ${block}`) },
      });
      return page
        .getByRole('dialog', { name: `Is ${block}` })
        .getByLabel('Search for')
        .inputValue();
    };
    expect(await read('first')).toBe('tmm ');
    expect(await read('second')).toBe('');
  });

  test('a message shortcut, a mention in a thread and the Home tab reach the bot', async () => {
    const escalation = page.getByRole('article').filter({ hasText: 'Escalation' });
    await escalation.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Diagnose snapshot' }).click();
    expect(await nextTold()).toMatchObject({ type: 'message_action', callback_id: 'diagnose-snapshot' });

    await escalation.getByRole('button', { name: '2 replies' }).click();
    const reply = page.getByRole('combobox', { name: 'Reply' });
    await reply.fill('/snapshot 1001');
    await reply.press('Enter');
    await page.getByText('Slash commands do not exist in threads').waitFor();
    await reply.fill('@snapshot 26808463 hit');
    await reply.press('Enter');
    const { event } = await nextTold();
    expect(event).toMatchObject({ type: 'app_mention', text: '<@U0SNAPSHOT> 26808463 hit' });
    expect(string(record(event).thread_ts)).not.toBe('');

    await page.getByRole('button', { name: 'snapshot', exact: true }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    expect((await nextTold()).event).toMatchObject({ type: 'app_home_opened', tab: 'home' });
    const home = { type: 'home', blocks: [{ type: 'header', text: plain('Your lookups') }] };
    await fixture.behind.call('views.publish', { user_id: 'U0ANA', view: home });
    await page.getByRole('heading', { name: 'Your lookups' }).waitFor();
    expect(await page.getByRole('log').count(), 'no messages of a channel beside it').toBe(0);
  });

  test('an ephemeral message is for one person, and gone after a new start', async () => {
    const ephemeral = { channel: 'C0SUPPORT', user: 'U0ANA', text: 'A secret for Ana' };
    await fixture.behind.call('chat.postEphemeral', ephemeral);
    const message = page.getByRole('article').filter({ hasText: 'A secret for Ana' });
    await message.getByText('Only visible to you').waitFor();
    await page.getByLabel('You are').selectOption('ben');
    await message.waitFor({ state: 'detached' });
    await page.getByLabel('You are').selectOption('ana');
    await message.waitFor();
    await page.getByRole('tab', { name: 'Make trouble' }).click();
    await page.getByRole('button', { name: 'Start my Slack anew' }).click();
    await message.waitFor({ state: 'detached' });
  });

  test('what is new is counted, the shelf types its command, and nobody writes in an archived channel', async () => {
    await fixture.behind.slack.say({ text: 'Look at this', user: 'ben', channel: 'random' });
    await page.getByRole('button', { name: /random.*1 new/ }).waitFor();
    await page.getByRole('button', { name: 'Type /snapshot 1002 hit' }).click();
    expect(await page.getByRole('combobox', { name: /^Message/ }).inputValue()).toBe('/snapshot 1002 hit');
    await page.getByRole('button', { name: /old-news/ }).click();
    await page.getByText('This channel is archived.').waitFor();
    // Somebody of another company is in one channel only.
    await page.getByLabel('You are').selectOption('guest');
    await page.getByRole('button', { name: /old-news/ }).waitFor({ state: 'detached' });
  });

  test('removing the bot from a channel asks first; it can be invited again', async () => {
    let isMeant = false;
    page.on('dialog', (question) => void (isMeant ? question.accept() : question.dismiss()));
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('the bot is a member').waitFor();
    isMeant = true;
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('the bot isn’t a member').waitFor();
    await page.getByRole('button', { name: 'Invite it' }).click();
    await page.getByText('the bot is a member').waitFor();
  });

  test('what Slack says of a command that the bot does not take is shown', async () => {
    fixture.behind.slack.deliverTo('http://127.0.0.1:1/nobody-listens');
    await page.getByRole('combobox', { name: /^Message/ }).fill('/snapshot 1001');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('/snapshot failed with the error “dispatch_failed”').waitFor();
  });

  /** What the bot hears next. */
  async function nextTold(): Promise<Json> {
    return fixture.behind.slack.waitFor(() => told.shift(), 'something to be told');
  }
});
