import { expect } from 'vitest';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import { MODES, reads, writes } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, finals, SUPPORT, test as sequential, shown, waits } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';

const test = sequential.concurrent;

/** A snapshot of the demo shelf that is processed for `forMs` before it is ready. */
function slow(id: keyof ReturnType<typeof demoShelf>, forMs: number, reasons: string[] = []): ShelfEntry {
  const entry = demoShelf()[id];
  if (entry === undefined) throw new Error(`${id} is not on the shelf`);
  return { ...entry, processing: { forMs, reasons } };
}

for (const mode of MODES) {
  test(`A command over ${mode} is acknowledged without words, and a ready snapshot is answered by one message`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const delivery = await world.slack.command({ text: '1001 hit' });
    expect(delivery).toMatchObject({ acknowledged: true, body: '' });
    const message = await shown(world, '37 hits in 247 checks');
    expect(message.ephemeral).toBeUndefined();
    expect(message.history).toEqual([]);
    expect(writes(world)).toEqual(['chat.postMessage']);
    expect(world.service.records.requests.map(({ set }) => set)).toEqual(['hit']);
  });

  test(`For a snapshot that is not ready the bot writes twice over ${mode}: that it waits, and the result`, async ({
    open,
  }) => {
    const world = await open({ mode });
    world.service.shelve('2001', slow('1012', 300));
    const message = await ask(world, '2001');
    expect(message.history.map(({ text }) => text)).toEqual(['Snapshot 2001 is still being processed.']);
    expect(message.text).toContain('1 hit');
    expect(writes(world)).toEqual(['chat.postMessage', 'chat.update']);
  });

  test(`A command that Slack delivers twice over ${mode} is answered once`, async ({ open }) => {
    const world = await open({ mode });
    const delivery = await world.slack.command({ text: '1002' });
    const again = await world.slack.redeliver(delivery);
    expect(again.acknowledged).toBe(true);
    await shown(world, 'Snapshot 1002');
    await ask(world, '1012');
    expect(finals(world).filter(({ text }) => text.startsWith('Snapshot 1002'))).toHaveLength(1);
    expect(world.service.records.requests).toHaveLength(2);
  });
}

test('The usage message and the help name the command as this workspace calls it', async ({ world }) => {
  for (const text of ['', 'help', '?']) await world.slack.command({ text, command: '/diagnose' });
  const messages = world.slack.messages(SUPPORT);
  expect(messages).toHaveLength(3);
  for (const { ephemeral, text, blocks } of messages) {
    expect(ephemeral).toBe(true);
    expect(text).toContain('Try: /diagnose 26808463, ');
    expect(textsOf(blocks, 'text')).toContain('/diagnose 26808463');
  }
  const [message] = messages;
  if (message === undefined) throw new Error('no help');
  await world.slack.click({ message, actionId: 'all-commands', user: 'ana' });
  await modal(world, '/diagnose 26808463 miss', 'ana');
  await world.slack.click({ message, actionId: 'my-lookups', user: 'ana' });
  await modal(world, 'Nothing in the last few days.', 'ana');
});

test('The list of all commands that a mention opens is that of the slash command', async ({ world }) => {
  await world.slack.mention({ text: 'help' });
  const message = await reads(world, 'Try: @Snapshot 26808463, ');
  await world.slack.click({ message, actionId: 'all-commands', user: 'ana' });
  await modal(world, '/snapshot devices', 'ana');
});

test('A delivery whose signature is bad, stale or absent is refused and does nothing', async ({ world }) => {
  for (const signature of ['bad', 'stale', 'none'] as const) {
    const delivery = await world.slack.command({ text: '1001', signature });
    expect(delivery).toMatchObject({ acknowledged: false, status: 401 });
  }
  expect(writes(world)).toEqual([]);
  expect(world.service.records.logins).toEqual([]);
});

const SHELF = Object.entries(demoShelf()).filter(([id]) => id !== '1008');
for (const [id, entry] of SHELF) {
  test(`Snapshot ${id} of the shelf (${entry.title}) gives messages that Slack takes`, async ({ world }) => {
    if (entry.processing !== undefined && entry.processing.forMs !== 'forever') {
      world.service.shelve(id, { ...entry, processing: { ...entry.processing, forMs: 300 } });
    }
    for (const set of ['', ' hit', ' miss']) await world.slack.command({ text: id + set });
    const isEndless = entry.processing?.forMs === 'forever' || entry.failsMidway === true;
    const found = await world.slack.waitFor(() => {
      const messages = isEndless ? waits(world) : finals(world);
      return messages.length === 3 ? messages : undefined;
    }, 'three messages');
    for (const { text } of found) expect(text).toMatch(new RegExp(`snapshot ${id}\\b`, 'i'));
  });
}

test('A part of an analysis that was just read is answered from it, and the whole is read anew', async ({
  world,
}) => {
  const requests = () => world.service.records.requests.map(({ set }) => set);
  await ask(world, '1001 miss');
  await ask(world, '1001');
  for (const part of ['hit', 'miss', 'critical', 'CVE-2026-10000']) await ask(world, `1001 ${part}`);
  expect(requests()).toEqual(['miss', 'all']);
  await ask(world, '1001');
  expect(requests()).toEqual(['miss', 'all', 'all']);
});
