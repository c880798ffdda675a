import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { shown, test } from '../support/conversation.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

/** Text that Slack would interpret, that grows when it is escaped, and that exceeds every limit once repeated. */
const HOSTILE = '<!channel> <@U0ANA> & *bold* _it_ `code` :tada: https://evil.test/ \u202e "quoted" ';
const LEVELS = ['CRITICAL', 'HIGH', 'HIGH', 'MEDIUM', 'LOW', 'Odd & <rated>'];

function diagnostic(at: number): DocumentDiagnostic {
  const address = (n: number) => `https://support.example.com/s/article/K${100_000 + n}?q=${'x'.repeat(240)}`;
  return {
    name: `H${at}`.padEnd(150, 'x'),
    match: at % 5 !== 4,
    importance: LEVELS[at % LEVELS.length] ?? '',
    header: `${at} ${HOSTILE.repeat(3)}`,
    summary: HOSTILE.repeat(3),
    action: at % 2 === 0 ? HOSTILE.repeat(4) : '',
    outputs: [HOSTILE.repeat(2), `${HOSTILE}\n`.repeat(2)],
    cveIds: [`CVE-2026-${10_000 + at}`],
    solutions: [1, 2, 3].map((n) => ({ url: address(at + n) })),
  };
}

/** Shelves two long results. If a message about them is too long, the emulator refuses it, and the test fails. */
function shelveLongest({ service }: World, count: number): void {
  for (const [id, first] of [
    ['2001', 0],
    ['2002', 3],
  ] as const) {
    const diagnostics = Array.from({ length: count }, (_, at) => diagnostic(first + at));
    const system = { hostname: `${'edge-7.'.repeat(30)}example.com`, chassisSerialNumber: 'chs1'.repeat(60) };
    service.shelve(id, { title: 'The longest', purpose: '', document: { diagnostics, system } });
  }
}

const WINDOWS = /^(?:all-hits|checks|details-0)$/;

/** Opens each window that a message offers, and the details of its first hit. */
async function readAll({ slack, ...rest }: World, message: VisibleMessage): Promise<void> {
  const world = { slack, ...rest };
  const ids = objectsIn(message.blocks).map(({ action_id: id }) => String(id));
  for (const actionId of new Set(ids.filter((id) => WINDOWS.test(id)))) {
    await slack.click({ message, actionId, user: 'ben' });
    const view = await modal(world, '"action_id":"');
    if (view.view.callback_id === 'list') await slack.click({ view, actionId: 'details-0', user: 'ben' });
    const details = await modal(world, 'What it means');
    if (actionId === 'details-0') {
      await slack.click({ view: details, actionId: 'share', user: 'ben' });
      await modal(world, 'Shared in the thread.');
    }
    for (let top = slack.modals('ben').at(-1); top !== undefined; top = slack.modals('ben').at(-1))
      await slack.closeView(top);
  }
}

test.for([
  ['2001', 4_990],
  ['2001 critical', 700],
  ['2001 miss', 700],
  ['2001 CVE-2026-10000', 700],
  ['2001 channel', 700],
  ['2001 2002', 700],
  ['compare 2001 2002', 700],
] as const)(
  'What shows “%s” for %i diagnostics with the longest texts is inert and within Slack’s limits',
  async ([text, count], { world }) => {
    shelveLongest(world, count);
    await world.slack.command({ text });
    const message = await shown(world, /^Snapshots? 200\d(?!.*processed)/);
    expect(message.text).not.toMatch(/<!|<@|@U0|https:\/\/evil/);
    const context = message.blocks.filter(({ type }) => type === 'context');
    for (const small of textsOf(context, 'plain_text')) expect(small.length).toBeLessThanOrEqual(200);
    await readAll(world, message);
    const mentioned = objectsIn(fromBot(world).map(({ blocks }) => blocks)).filter(
      ({ type }) => type === 'broadcast',
    );
    expect(mentioned).toEqual([]);
  },
);
