import { expect, test as made } from 'vitest';
import { record, records } from '../emulators/slack/json.ts';
import type { Delivery } from '../emulators/slack/model.ts';
import { fromBot, reads } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { test } from '../support/conversation.ts';
import { openWorld, type World } from '../support/world.ts';

const PARTNERS = 'C0PARTNERS';
const LINK = 'https://service.example.com/snapshots/1012';
const SHARED = { ALLOW_SHARED_CHANNELS: 'yes', COMMANDS_PER_MINUTE: '100000' };
const NOT_SHARED = { ...SHARED, ALLOW_SHARED_CHANNELS: 'no' };

/** What members of the other company see in the channel. */
const readByOthers = (world: World) =>
  fromBot(world, PARTNERS, 'guest').map(({ ts, text, history }) => ({ ts, text, history }));

/** The same delivery with another id of its control or form. */
function asFor(id: string, { payload, ...delivery }: Delivery): Delivery {
  const { actions, message, view } = payload;
  const [action] = records(actions);
  const used = JSON.stringify({ actions, message, view }).replaceAll(
    `"${String(action?.action_id)}"`,
    `"${id}"`,
  );
  const changes = action === undefined ? { view: { ...record(view), callback_id: id } } : JSON.parse(used);
  return { ...delivery, payload: { ...payload, ...changes } };
}

/** Uses one control of each place (message, preview, window, form, Home tab) that was opened in the shared channel. */
async function usedThere({ slack, ...rest }: World): Promise<Record<string, Delivery>> {
  const world = { slack, ...rest };
  await slack.command({ text: '1001 hit', channel: PARTNERS });
  const message = await reads(world, '37 hits', { channel: PARTNERS });
  const clicked = await slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const { message: pasted } = await slack.say({ text: LINK, channel: PARTNERS });
  const previewed = await slack.waitFor(
    () => slack.messages(PARTNERS).find(({ ts, unfurls }) => ts === pasted.ts && unfurls?.[LINK]),
    'a preview',
  );
  const view = await modal(world, 'All 37 hits');
  await slack.openHome('ben');
  const home = await slack.waitFor(() => slack.home('ben'), 'the Home tab');
  return {
    message: clicked,
    preview: await slack.click({ message: previewed, link: LINK, actionId: 'preview-show', user: 'ben' }),
    window: await slack.click({ view, actionId: 'filter', value: 'critical', user: 'ben' }),
    form: await slack.submit({ view: await modal(world, '\\"filter\\":\\"critical') }),
    home: await slack.click({ view: home, actionId: 'open-look-up', user: 'ben' }),
  };
}

/** Controls whose effect others would see: a changed message, a file, a post, or news for followers. */
const SEEN = [
  ...['more', 'own', 'hand-over', 'post-here', 'ask-again', 'cancel', 'tell-me-too'].map(
    (id) => `message ${id}`,
  ),
  ...['share', 'take-back', 'unassign'].map((id) => `window ${id}`),
  ...['accept', 'follow', 'hand-over'].map((id) => `form ${id}`),
];

/** Controls whose answer only one person sees. */
const READ = [
  ...[
    'all-hits',
    'checks',
    'search',
    'details-0',
    'article-0-0',
    'report',
    'compare-last',
    'did-you-mean',
  ].map((id) => `message ${id}`),
  ...['filter', 'page-next', 'details-0', 'previous', 'next', 'accept', 'case-show'].map(
    (id) => `window ${id}`,
  ),
  ...['preview preview-show', 'preview preview-browse', 'home open-look-up', 'form list', 'form case-text'],
];

// Opens a world without the fixture of other tests, which fails on every forged delivery.
made(
  'Once its channel is shared, what was opened before shows nothing there; what one person reads alone is served',
  async ({ onTestFinished }) => {
    const world = await openWorld({ variables: SHARED });
    onTestFinished(() => world.close());
    const used = await usedThere(world);
    await world.restart(NOT_SHARED);
    const before = readByOthers(world);
    const refused: string[] = [];
    for (const name of [...SEEN, ...READ]) {
      const [place = '', id = ''] = name.split(' ');
      const delivery = used[place];
      if (delivery === undefined) throw new Error(`no use of ${place}`);
      const lines = world.log.length;
      await world.slack.pressAgain(asFor(id, delivery));
      if (world.log.slice(lines).some((line) => line.includes('"refusal":"shared"'))) refused.push(name);
    }
    expect(refused.toSorted()).toEqual(SEEN.toSorted());
    expect(readByOthers(world)).toEqual(before);
  },
);

test('In a shared channel a result can be read in a window to its end, and nothing of it is seen there', async ({
  open,
}) => {
  const world = await open({ variables: NOT_SHARED });
  const { slack } = world;
  await slack.command({ text: '1001 me', channel: PARTNERS, user: 'ben' });
  const all = await modal(world, 'All 37 hits');
  await slack.submit({ view: all, values: { search: 'certificate' } });
  const found = await modal(world, '"initial_value":"certificate"');
  await slack.click({ view: found, actionId: 'details-0', user: 'ben' });
  await modal(world, 'What it means');
  expect(readByOthers(world)).toEqual([]);
});
