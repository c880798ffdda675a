import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot, reads, small } from '../support/bot-messages.ts';
import { choose, modal, told } from '../support/clicking.ts';
import { ask, SUPPORT, shown, test } from '../support/conversation.ts';
import { objectsIn } from '../support/message-parts.ts';
import { devicesOf, lookedUp } from '../support/own-devices.ts';
import type { World } from '../support/world.ts';

/** One file for each message and window as people see it. `npx vitest run -u` accepts an intended change. */
const FOLDER = join(import.meta.dirname, '..', 'golden');
const AT = Date.UTC(2026, 10, 26, 9, 19);

type Shown = Pick<VisibleMessage, 'text' | 'blocks'> | OpenView;

const asked = (text: string) => (world: World) => ask(world, text);

/** Runs a command, presses a button of its message, and returns the window that opens. */
const pressed = (text: string, actionId: string, words: string) => async (world: World) => {
  const message = await ask(world, text);
  await world.slack.click({ message, actionId, user: 'ben' });
  return modal(world, words);
};

const chosen = (text: string, label: string, words: string) => async (world: World) => {
  await choose(world, await ask(world, text), 'more', label);
  return modal(world, words);
};

async function owned(world: World): Promise<VisibleMessage> {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'own', user: 'ben' });
  const isOwned = () => fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('*Owner:*'));
  return world.slack.waitFor(isOwned, 'an owner');
}

async function accepting(world: World): Promise<OpenView> {
  const view = await pressed('1001', 'details-1', 'hit 2 of 37')(world);
  await world.slack.click({ view, actionId: 'accept', user: 'ben' });
  return modal(world, 'Until when');
}

async function waiting(
  world: World,
  more: Parameters<typeof small>[0],
  text = '2001',
): Promise<VisibleMessage> {
  world.service.shelve('2001', small(more));
  await world.slack.command({ text });
  return shown(world, 'still being processed');
}

const SHOWN: Readonly<Record<string, (world: World) => Promise<Shown>>> = {
  report: asked('1001'),
  'report-without-hits': asked('1002'),
  'report-of-few-grave-hits': asked('1011'),
  'report-of-one-hit': asked('1012'),
  'report-of-hostile-text': asked('1008'),
  'report-critical': asked('1001 critical'),
  'report-cve': asked('1001 cve'),
  'report-passed-checks': asked('1001 miss'),
  'report-owned': owned,
  'report-accepted': async (world) => {
    await world.slack.submit({
      view: await accepting(world),
      values: { 'accept-reason': 'a spare is ordered' },
    });
    await modal(world, 'Accepted by');
    return ask(world, '1001', 'ben');
  },
  'report-since': async (world) => {
    await ask(world, '1010');
    return ask(world, '1011', 'ben');
  },
  'search-hit': asked('1001 CVE-2026-10000'),
  'search-checked': asked('1001 CVE-2026-10456'),
  'search-not-named': asked('1001 CVE-2020-1000'),
  'search-words': asked('1001 certificate'),
  'search-nothing': asked('1001 “nothing like it”'),
  several: asked('1014 1015 1016 1007'),
  'several-search': asked('1014 1015 1016 CVE-2026-10128'),
  'several-waiting': (world) => waiting(world, { forMs: 'forever', reasons: ['Unpacking.'] }, '1014 2001'),
  'several-unanswered': asked('1007 9999'),
  comparison: asked('compare 1010 1011'),
  waiting: (world) => waiting(world, { forMs: 'forever', reasons: ['Diagnostics are running: 201 of 247.'] }),
  cancelled: async (world) => {
    const message = await waiting(world, { forMs: 'forever' });
    await world.slack.click({ message, actionId: 'cancel' });
    return shown(world, 'was cancelled');
  },
  'failed-not-found': asked('1099'),
  'failed-forbidden': asked('1007'),
  'failed-login': (world) => {
    world.service.switches.loginRefused = true;
    return ask(world, '1001');
  },
  private: async (world) => {
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    return reads(world, '1 hit', { channel: 'C0SECRET' });
  },
  help: async (world) => {
    await world.slack.command({ text: 'help' });
    return told(world, SUPPORT, 'What the analysis', 'ana');
  },
  'handed-over': async (world) => {
    await world.slack.click({ message: await owned(world), actionId: 'hand-over', user: 'ben' });
    await world.slack.submit({ view: await modal(world, 'new-owner'), values: { 'new-owner': 'U0ANA' } });
    return shown(world, 'is on it now');
  },
  'shared-hit': async (world) => {
    const view = await pressed('1001', 'details-1', 'hit 2 of 37')(world);
    await world.slack.click({ view, actionId: 'share', user: 'ben' });
    return shown(world, 'The fan tray has failed or is about to fail and has to be replaced →');
  },
  'window-all-hits': pressed('1011', 'all-hits', 'All 13 hits'),
  'window-all-hits-of-several': pressed('1014 1015', 'all-hits', 'All 33 hits'),
  'window-all-changes': pressed('compare 1010 1011', 'all-hits', 'All 25 changes'),
  'window-details': pressed('1001', 'details-1', 'hit 2 of 37'),
  'window-details-cve': pressed('1001', 'details-0', 'hit 1 of 37'),
  'window-details-checked': pressed('1001 CVE-2026-10456', 'details-0', 'of 210'),
  'window-accept': accepting,
  'window-hand-over': async (world) => {
    await world.slack.click({ message: await owned(world), actionId: 'hand-over', user: 'ben' });
    return modal(world, 'new-owner');
  },
  'window-compare': chosen('1001', 'Compare with…', 'other-id'),
  'window-follow': chosen('1001', 'Follow…', 'Tell me'),
  'window-case-text': chosen('1012', 'Text for the case', 'case-text'),
  'window-devices': async (world) => {
    await lookedUp(world, '1001', '1011', '1002');
    return devicesOf(world);
  },
  'window-devices-search': async (world) => {
    await lookedUp(world, '1001', '1011', '1002');
    await world.slack.submit({ view: await devicesOf(world), values: { search: 'CVE-2026-10000' } });
    return modal(world, 'hits on', 'ana');
  },
  'window-commands': async (world) => {
    await world.slack.command({ text: 'help' });
    const message = await told(world, SUPPORT, 'What the analysis', 'ana');
    await world.slack.click({ message, actionId: 'all-commands', user: 'ana' });
    return modal(world, 'All commands', 'ana');
  },
};

/** Values that differ in each run: ids of lookups, times of messages, and addresses. */
const RANDOM = [
  [/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '(id)'],
  [/\b\d{10}\.\d{6}\b/g, '(ts)'],
  [/http:\/\/127\.0\.0\.1:\d+[^"\\]*/g, '(url)'],
  [/(?<=localhost:)\d+/g, '(port)'],
] as const;

/** The text of a message, or the head of a window, and then each block in a line. */
function linesOf(shownThere: Shown): string {
  const { blocks, ...head } = 'view' in shownThere ? shownThere.view : shownThere;
  const top = 'view' in shownThere ? JSON.stringify(head) : shownThere.text;
  const lines = [top, ...(blocks as readonly unknown[]).map((block) => JSON.stringify(block))].join('\n');
  return `${RANDOM.reduce((said, [pattern, name]) => said.replace(pattern, name), lines)}\n`;
}

test.concurrent.for(Object.entries(SHOWN))(
  '%s reads as it was recorded',
  async ([name, show], { open, expect: it }) => {
    const world = await open({ now: () => AT });
    await it(linesOf(await show(world))).toMatchFileSnapshot(join(FOLDER, `${name}.txt`));
  },
);

test('No recorded file is left of a message or window that is gone', () => {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.txt') ? basename(file, '.txt') : []));
  expect(names.filter((name) => SHOWN[name] === undefined)).toEqual([]);
});

/** Labels that say enough: an article, a number of hits, or the title of a window. */
const PLAIN = /^(?:K\d+|\d+ |All |The only|Report of|Search again|Look up…|My lookups|Back)/;

test('A button whose label does not say what it acts on says so to screen readers', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'));
  const lines = files.flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').split('\n'));
  const blocks = lines.filter((line) => line.startsWith('{"type":')).map((line) => JSON.parse(line));
  const buttons = objectsIn(blocks).filter(({ type }) => type === 'button');
  const mute = buttons.flatMap(({ text, accessibility_label: spoken = '' }) => {
    const label = String(objectsIn(text)[0]?.text);
    return PLAIN.test(label) || String(spoken).startsWith(label) ? [] : label;
  });
  expect(buttons.length).toBeGreaterThan(100);
  expect(mute).toEqual([]);
});
