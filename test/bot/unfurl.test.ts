import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Unfurl, VisibleMessage } from '../emulators/slack/model.ts';
import type { SlackOptions } from '../emulators/slack/setup.ts';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { callsOf, fromBot, MODES, reads, small, WITHOUT_BOT, writes } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { SLOW } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const linkTo = (id: string) => `https://service.example.com/snapshots/${id}`;
const LINK = linkTo('1012');
const PARTNERS = 'C0PARTNERS';

type Where = { readonly channel?: string; readonly user?: string; readonly threadTs?: string };

/** Posts a message with links, and checks that the bot acknowledges Slack's event. */
async function paste({ slack }: World, links = [LINK], where: Where = {}): Promise<VisibleMessage> {
  const text = links.map((link) => `<${link}>`).join(' and ');
  const { message, deliveries } = await slack.say({ text, ...where });
  expect(deliveries.map(({ acknowledged }) => acknowledged)).toEqual([true]);
  return message;
}

/** The previews of a message's links, as its author sees them. */
function unfurls({ slack }: World, { channel, ts, user }: VisibleMessage): Readonly<Record<string, Unfurl>> {
  return slack.messages(channel, user).find((message) => message.ts === ts)?.unfurls ?? {};
}

/** The preview of a link, once it contains `words`. */
function preview(
  world: World,
  message: VisibleMessage,
  words: string | RegExp,
  link = LINK,
): Promise<Unfurl> {
  return world.slack.waitFor(() => {
    const shown = unfurls(world, message)[link];
    return JSON.stringify(shown ?? '').search(words) === -1 ? undefined : shown;
  }, `${words} under ${link}`);
}

/** The current state of the message. */
function again({ slack }: World, { channel, ts, user }: VisibleMessage): VisibleMessage {
  const found = slack.messages(channel, user).find((message) => message.ts === ts);
  return found ?? expect.fail('the message is gone');
}

const asked = ({ service }: World, id: string) =>
  service.records.requests.filter((one) => one.id === id).length;

test.for(MODES)(
  'Under a pasted link stands a preview without any hit by name, over %s, and no message is posted',
  async (mode, { open }) => {
    const world = await open({ mode });
    const { blocks } = await preview(world, await paste(world, [linkTo('1001')]), 'hits', linkTo('1001'));
    const text = JSON.stringify(blocks);
    for (const fact of ['edge-7', '37 hits in 247 checks', '2 critical', 'Upgrade to 17.1.3.4'])
      expect(text).toContain(fact);
    // A preview names no hit.
    expect(text).not.toMatch(/CVE|K\d{6}|D\d{5}|H\d{5}/);
    expect(writes(world)).toEqual(['chat.unfurl']);
  },
);

/** The ways in which people write a link to a snapshot. Slack escapes `&`. */
const SHAPES = [
  'https://SERVICE.example.com/snapshots/1012',
  'Https://service.example.com/snapshots/1012',
  'http://service.example.com/snapshots/1012',
  'https://service.example.com:8443/snapshots/1012/',
  'https://service.example.com/snapshots/1012/?tab=2&amp;at=1760000000#hits',
  'https://service.example.com/#/snapshots/1012',
  'https://service.example.com/view?id=1012',
];
test('A link of any shape, also one with a label, has its preview; of two to one snapshot the first has it', async ({
  world,
}) => {
  for (const shape of SHAPES) {
    const message = await paste(world, [`${shape}|the box`, linkTo('1012')]);
    const link = shape.replace('&amp;', '&');
    await preview(world, message, '1 hit', link);
    expect(Object.keys(unfurls(world, message))).toEqual([link]);
  }
  expect(asked(world, '1012')).toBe(1);
});

test.for(Object.entries(WITHOUT_BOT))(
  'A pasted link has its preview in %s, where the bot is no member',
  async ([, channel], { world }) => {
    await preview(world, await paste(world, [LINK], { channel }), '1 hit');
  },
);

/** The people, channels and links that get no preview. */
const NOWHERE: Record<
  string,
  { user?: string; channel?: string; link?: string; slack?: SlackOptions } & {
    becomesShared?: boolean;
    variables?: Record<string, string>;
  }
> = {
  'a guest': { user: 'mia' },
  'a guest of one channel': { user: 'sam' },
  'a person of another company': { user: 'guest', channel: PARTNERS },
  'a colleague of another workspace': { user: 'dana', slack: { isGrid: true } },
  'an app': { user: 'case-intake' },
  'somebody of whom Slack says nothing': {
    slack: { scopes: ['commands', 'chat:write', 'links:read', 'links:write'] },
  },
  'somebody of no allowed group': { user: 'ben', variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } },
  'a channel that is not allowed': { variables: { ALLOWED_CHANNELS: 'C0WARROOM' } },
  'a channel that another company shares': { channel: PARTNERS, variables: { ALLOW_SHARED_CHANNELS: 'no' } },
  'a direct message with another company': {
    channel: WITHOUT_BOT["two people's DM"],
    becomesShared: true,
    variables: { ALLOW_SHARED_CHANNELS: 'no' },
  },
  'a link without an id': { link: linkTo('latest') },
  'a link of another host': { link: 'https://elsewhere.example.net/snapshots/1012' },
  'UNFURL=no': { variables: { UNFURL: 'no' } },
};
test.for(Object.entries(NOWHERE))(
  'A link has no preview, request or message: %s',
  async ([, how], { open }) => {
    const { user = 'ana', channel = SUPPORT, link = LINK, variables = {}, becomesShared, ...options } = how;
    const world = await open({ variables, ...options });
    const { slack, service } = world;
    const conversation = slack.channels.find(({ id }) => id === channel);
    if (becomesShared) Object.assign(conversation ?? {}, { shared: true });
    slack.join(channel, user);
    const { message, deliveries } = await slack.say({ text: `see <${link}>`, user, channel });
    expect(deliveries.map(({ acknowledged }) => acknowledged)).not.toContain(false);
    await atRest(world.address());
    expect(unfurls(world, message)).toEqual({});
    expect(service.records.requests).toEqual([]);
    expect(service.records.logins).toEqual([]);
    expect(writes(world)).toEqual([]);
  },
);

test('A link that is sent to the bot itself is a question, and gets no preview', async ({ world }) => {
  const { message } = await world.slack.say({ text: `<${LINK}>`, channel: '@ana' });
  await reads(world, '1 hit', { channel: '@ana' });
  await atRest(world.address());
  expect(unfurls(world, message)).toEqual({});
});

test('Where the bot may not write under links, the lookup of a link ends all the same', async ({ open }) => {
  const world = await open({ slack: { scopes: ['commands', 'users:read', 'links:read'] } });
  const message = await paste(world, [linkTo('1003')]);
  await atRest(world.address());
  expect(unfurls(world, message)).toEqual({});
});

/** How the service fails, the outcome of the lookup, and how to bring that about. */
const FAILURES: readonly (readonly [what: string, outcome: string, (service: World['service']) => void])[] = [
  ['a 403', 'forbidden', (service) => service.shelve('2001', { ...SLOW, status: 403 })],
  ['a 404', 'snapshot-not-found', () => {}],
  ['a 406', 'not-acceptable', (service) => service.shelve('2001', { ...SLOW, status: 406 })],
  ['a refused login', 'login-refused', ({ switches }) => Object.assign(switches, { loginRefused: true })],
  ['503s for an hour', 'timed-out', ({ switches }) => Object.assign(switches, { apiStatus: 503 })],
  ['resets for an hour', 'timed-out', ({ switches }) => Object.assign(switches, { resetConnections: true })],
];
test.for(FAILURES)(
  'A link whose lookup ends with %s is in the log as %s, shows nothing, and counts as no lookup of a person',
  async ([, outcome, fail], { world }) => {
    fail(world.service);
    const message = await paste(world, [linkTo('2001')]);
    if (outcome === 'timed-out') {
      const asked = /_polls_total\{outcome="(?:service-failed|unreachable|login-unreachable)"/;
      await eventually(async () => expect(await metricsOf(world)).toMatch(asked));
      world.clock.ahead += 61 * 60_000;
    }
    await eventually(() => expect(world.log.join('')).toContain(`"outcome":"${outcome}"`));
    expect(unfurls(world, message)).toEqual({});
    expect(writes(world)).toEqual([]);
    expect(await metricsOf(world)).not.toContain('snapshot_bot_lookups_total{');
  },
);

test('While a snapshot is processed nothing stands under its link, and then the result', async ({
  world,
}) => {
  const link = linkTo('2001');
  world.service.shelve('2001', SLOW);
  const message = await paste(world, [link]);
  await eventually(() => expect(asked(world, '2001')).toBeGreaterThan(1));
  expect(unfurls(world, message)).toEqual({});
  world.service.shelve('2001', small());
  await preview(world, message, '1 hit', link);
  expect(callsOf(world, 'chat.unfurl')).toBe(1);
  expect(fromBot(world)).toEqual([]);
});

test('A preview whose confirmation was lost is shown again, and the lookup of a deleted message ends', async ({
  world,
}) => {
  world.slack.failNext('chat.unfurl', 'lost-response');
  await preview(world, await paste(world), '1 hit');
  world.service.shelve('2001', SLOW);
  const message = await paste(world, [linkTo('2001')]);
  await eventually(() => expect(asked(world, '2001')).toBeGreaterThan(0));
  world.slack.remove(message);
  world.service.shelve('2001', small());
  await atRest(world.address());
  expect(fromBot(world)).toEqual([]);
});

test('A message that is edited to hold another link gets the preview of that one', async ({ world }) => {
  const message = await paste(world);
  await preview(world, message, '1 hit');
  await world.slack.edit(message, linkTo('1002'));
  await preview(world, message, '180 checks', linkTo('1002'));
  expect(Object.keys(unfurls(world, message))).toEqual([linkTo('1002')]);
});

test('Five links of a message are previewed, each once; in its thread a link is previewed again', async ({
  world,
}) => {
  const { slack } = world;
  const links = ['1001', '1002', '1010', '1011', '1013', '1012'].map(linkTo);
  const message = await paste(world, [...links, ...links]);
  await slack.waitFor(
    () => (Object.keys(unfurls(world, message)).length >= 5 ? true : undefined),
    'previews',
  );
  await atRest(world.address());
  expect(Object.keys(unfurls(world, message)).sort()).toEqual(links.slice(0, 5).sort());
  expect(callsOf(world, 'chat.unfurl')).toBe(5);
  const [first = ''] = links;
  await preview(world, await paste(world, [first], { threadTs: message.ts }), '37 hits', first);
});

test('A pasted link counts as a command of its author', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '3' } });
  const { slack } = world;
  const three = [LINK, linkTo('1002'), linkTo('1001')];
  const message = await paste(world, [...three, linkTo('1010'), linkTo('1011')]);
  for (const link of three) await preview(world, message, '', link);
  // The message has five links, but only three commands are left: the first three get a preview.
  expect(Object.keys(unfurls(world, message)).sort()).toEqual(three.sort());
  const { body } = await slack.command({ text: '1002', channel: 'C0WARROOM' });
  expect(body).toContain('more than Snapshot answers in a minute');
  expect(unfurls(world, await paste(world, [linkTo('1010')]))).toEqual({});
  await atRest(world.address());
  expect(asked(world, '1010')).toBe(0);
  await preview(world, await paste(world, [LINK], { user: 'ben', channel: 'C0WARROOM' }), '1 hit');
});

test('A person who loses access during the wait does not get the preview', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  const link = linkTo('2001');
  world.service.shelve('2001', SLOW);
  const message = await paste(world, [link]);
  await eventually(() => expect(asked(world, '2001')).toBeGreaterThan(0));
  await world.slack.setUserGroup('S0ONCALL', ['ben']);
  world.service.shelve('2001', small());
  await atRest(world.address());
  expect(unfurls(world, message)).toEqual({});
});

test('A link is not previewed while somebody writes the message, whatever was read before', async ({
  world,
}) => {
  const { slack } = world;
  await preview(world, await paste(world), '1 hit');
  const [delivery] = await slack.compose({ text: `${LINK} and ${linkTo('1002')}` });
  expect(delivery).toMatchObject({ acknowledged: true });
  await atRest(world.address());
  expect(asked(world, '1002')).toBe(0);
  expect(slack.records.breaches).toEqual([]);
});

test.for([
  ['where the bot is a member', SUPPORT],
  ['elsewhere', 'C0RANDOM'],
] as const)('"Show report" answers whoever presses it in the thread, %s', async ([, channel], { world }) => {
  const message = await paste(world, [LINK], { channel });
  await preview(world, message, '1 hit');
  const delivery = await world.slack.click({
    message: again(world, message),
    link: LINK,
    actionId: 'preview-show',
    user: 'ben',
  });
  expect(delivery).toMatchObject({ acknowledged: true });
  const answer = await reads(world, '1 hit', { channel, viewer: 'ben' });
  expect(answer).toMatchObject(channel === SUPPORT ? { threadTs: message.ts } : { ephemeral: true });
  expect(JSON.stringify(answer.blocks)).toContain('<@U0BEN>');
});

test('"Read privately" opens a window', async ({ world }) => {
  const message = await paste(world);
  await preview(world, message, '1 hit');
  const clicked = { message: again(world, message), link: LINK, actionId: 'preview-browse', user: 'ben' };
  expect(await world.slack.click(clicked)).toMatchObject({ acknowledged: true });
  await modal(world, 'The only hit');
  expect(fromBot(world)).toEqual([]);
});

test('Links in a message that is still being written do not use up the commands of a minute', async ({
  open,
}) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '3' } });
  const { slack } = world;
  for (const id of ['1001', '1002', '1010', '1011']) await slack.compose({ text: linkTo(id) });
  expect((await slack.command({ text: '1012' })).body).toBe('');
});

test.for(['preview-show', 'preview-browse'])(
  'A member of another company who presses %s on a preview is refused, and sees nothing of the result',
  async (actionId, { world }) => {
    const message = await paste(world, [LINK], { channel: PARTNERS });
    await preview(world, message, '1 hit');
    const requests = world.service.records.requests.length;
    await world.slack.click({ message: again(world, message), link: LINK, actionId, user: 'guest' });
    await reads(world, 'answers only members', { channel: PARTNERS, viewer: 'guest' });
    expect(world.slack.modals('guest')).toEqual([]);
    expect(world.service.records.requests).toHaveLength(requests);
    expect(fromBot(world, PARTNERS)).toEqual([]);
  },
);

test('The audit says whose link was previewed, and not that anybody was refused', async ({ world }) => {
  const file = join(world.dataDir, 'audit.jsonl');
  await world.restart({ AUDIT_FILE: file });
  await paste(world, [LINK], { user: 'mia', channel: 'C0WARROOM' });
  await preview(world, await paste(world), '1 hit');
  const lines = () =>
    (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map((line) => JSON.parse(line));
  await eventually(() =>
    expect(lines()).toMatchObject([
      { event: 'started' },
      { event: 'previewed', user: 'U0ANA', channel: SUPPORT, snapshot: '1012' },
    ]),
  );
});
