import { expect } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import { small } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, offers, test as sequential } from '../support/conversation.ts';
import { objectsIn } from '../support/message-parts.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

const test = sequential.concurrent;
const FORM = 'https://tickets.example.com/new?project=NET&title={title}&body={text}#{snapshot}/{host}';

/** The URL of the ticket button. */
function linkIn(blocks: unknown): string {
  return String(objectsIn(blocks).find(({ action_id }) => action_id === 'ticket')?.url);
}

/** The address and the parameters of a ticket link. */
function filledIn(link: string) {
  const url = new URL(link);
  return {
    to: url.origin + url.pathname,
    names: [...url.searchParams.keys()],
    ...Object.fromEntries(url.searchParams),
    at: url.hash,
  };
}

test('“Create ticket” opens the form filled in with the report, or with the hit of the details; the bot says nothing', async ({
  open,
}) => {
  const world = await open({ variables: { TICKET_URL: FORM } });
  const message = await ask(world, '1001');
  const report = filledIn(linkIn(message.blocks));
  expect(report).toMatchObject({
    to: 'https://tickets.example.com/new',
    names: ['project', 'title', 'body'],
    title: expect.stringMatching(/^Snapshot 1001 of edge-7.example.com: 2 critical, 11 high/),
    body: expect.stringContaining(
      'Configuration utility vulnerability CVE-2026-10000 (H00040009, CVE-2026-10000)',
    ),
    at: '#1001/edge-7.example.com',
  });
  await world.slack.click({ message, actionId: 'details-0', user: 'ben' });
  const details = await modal(world, 'hit 1 of 37');
  expect(filledIn(linkIn(details.view.blocks))).toMatchObject({
    title: 'Configuration utility vulnerability CVE-2026-10000',
    body: expect.stringMatching(/^Snapshot 1001 of .+\n🔴.+\n→ Upgrade to .+/),
  });
  for (const where of [{ message }, { view: details }])
    expect(await world.slack.click({ ...where, actionId: 'ticket', user: 'ben' })).toMatchObject({
      acknowledged: true,
    });
  const again = await world.slack.click({ message, actionId: 'own', user: 'ben' });
  expect(again).toMatchObject({ acknowledged: true });
  const owned = await world.slack.waitFor(
    () => world.slack.messages(message.channel).find(({ history }) => history.length > 0),
    'the owner',
  );
  expect(linkIn(owned.blocks)).toBe(linkIn(message.blocks));
});

test.for([
  ['1011', '2 high, 8 medium, 3 low (13 hits in 247 checks)'],
  ['1001 critical', '2 critical of 37 hits'],
  ['1001 certificate', '“certificate” is in 3 of 37 hits'],
] as const)(
  'The ticket of “%s” is titled by what the message says first',
  async ([asked, said], { open }) => {
    const world = await open({ variables: { TICKET_URL: FORM } });
    const { title } = filledIn(linkIn((await ask(world, asked)).blocks)) as { title?: string };
    expect(title?.endsWith(`: ${said}`), title).toBe(true);
  },
);

/** A snapshot with a single hit, which has this title. */
function withTitle(header: string): ShelfEntry {
  const hit = { name: 'H00049999', match: true, importance: 'HIGH', header, summary: header };
  return { ...small(), document: { diagnostics: [hit], system: { hostname: header } } };
}

test.for([
  ['& and #', 'R&D: port #7? 100% = {text}&title=EVIL', /^R&D: port #7\? 100% = \{text\}&title=EVIL$/],
  ['emoji of several code points', '🔥👩‍💻 is down', /^🔥👩‍💻 is down$/],
  ['markup and a link', '<!channel> *x* ../?a=1', /^<!channel> \*x\* \.\.\/\?a=1$/],
  ['4,000 characters', 'very long & '.repeat(334), /^(very long & )+.{0,12}…$/],
  ['4,000 flames', '🔥'.repeat(2_000), /^🔥+…$/u],
] as const)(
  'A title with %s stays in its parameter of a ticket, in whole characters',
  async ([, title, said], { open }) => {
    const world = await open({ variables: { TICKET_URL: FORM } });
    world.service.shelve('2001', withTitle(title));
    const message = await ask(world, '2001');
    await world.slack.click({ message, actionId: 'details-0', user: 'ben' });
    const details = await modal(world, 'hit 1 of 1');
    for (const [blocks, most] of [
      [message.blocks, 1_200],
      [details.view.blocks, 2_900],
    ] as const) {
      const link = linkIn(blocks);
      expect(link.length).toBeLessThanOrEqual(most);
      const { names, ...form } = filledIn(link);
      expect(names).toEqual(['project', 'title', 'body']);
      expect(form).toMatchObject({
        title: expect.stringMatching(said),
        body: expect.not.stringContaining('\ufffd'),
      });
    }
  },
);

test('A report that fills its message still has a “Create ticket” link of full length', async ({ open }) => {
  const world = await open({ variables: { TICKET_URL: FORM } });
  const diagnostics = Array.from({ length: 60 }, (_, at) => ({
    ...{ name: `H${at}`, match: true, importance: 'HIGH', header: `Hit ${at} ${'wide '.repeat(40)}` },
    ...{ action: 'Upgrade. '.repeat(40), solutions: [{ url: `https://support.example.com/${at}` }] },
  }));
  world.service.shelve('2001', { ...small(), document: { diagnostics } });
  const { blocks } = await ask(world, '2001');
  const link = linkIn(blocks);
  // A link may have 1,200 characters.
  expect(link.length).toBeGreaterThan(1_100);
  expect(filledIn(link)).toMatchObject({ body: expect.stringContaining('Hit 0 wide wide') });
  expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
});

test('Without TICKET_URL there is no button, nor for a passed check or a report without hits', async ({
  open,
}) => {
  const world = await open();
  expect(offers(await ask(world, '1001'))).not.toContain('ticket');
  await world.restart({ TICKET_URL: FORM });
  expect(offers(await ask(world, '1002'))).not.toContain('ticket');
  expect(offers(await ask(world, '1001 miss'))).not.toContain('ticket');
});

test.for([
  'http://tickets.example.com/?title={title}',
  'https://tickets.example.com/{host}?title={title}',
  'https://{host}/?title={title}',
  'https://tickets.example.com/?title={summary}',
  'https://tickets.example.com/?title={title',
  'https://me@tickets.example.com/?title={title}',
  'https://tickets.example.com/new ?title={title}',
  `https://tickets.example.com/?title={title}&x=${'x'.repeat(500)}`,
])('TICKET_URL=%s is a problem of the configuration, with its repair', (TICKET_URL) => {
  expect(() => readConfig({ ...NEEDED_VARIABLES, TICKET_URL }, () => '')).toThrow(
    /a problem:\n {2}TICKET_URL must be an https address .+ such as https:/,
  );
});
