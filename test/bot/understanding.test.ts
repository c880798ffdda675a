import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CASES, SERVICE } from '../contracts/understanding.ts';
import { DM, small } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

type Way = 'command' | 'mention' | 'direct message' | 'shortcut';

async function send({ slack }: World, way: Way, text: string): Promise<void> {
  if (way === 'command') await slack.command({ text });
  else if (way === 'mention') await slack.mention({ text });
  else if (way === 'direct message') await slack.say({ text, channel: DM });
  else {
    const { message } = await slack.say({ text });
    await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  }
}

/** The ids in the expected result of a case, such as `1010 → 1011`, `watch 26808463` or `26808463 !critical ?tmm`. */
function idsOf(expected: string): string[] {
  return expected.replace(/[?!].*$/, '').match(/\b\d{4,20}\b/g) ?? [];
}

/** The ids that a case looks up. A shortcut ignores the words of a command. */
function expectedOf(way: Way, [, command, spoken = command]: (typeof CASES)[number]): string[] {
  if (way === 'shortcut') return idsOf(spoken);
  const asked = way === 'command' ? command : spoken;
  const isAlone = asked.endsWith(' me') && way !== 'direct message';
  return isAlone || /^(?:unwatch|status|help)/.test(asked) ? [] : idsOf(asked);
}

/** The ids of each accepted lookup, in the order of the audit. */
function accepted({ dataDir }: World): string[] {
  const file = join(dataDir, 'audit.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'accepted')
    .map(({ before = [], snapshot, others = [] }) => [before, snapshot, others].flat().sort().join(' '));
}

test.for(['command', 'mention', 'direct message', 'shortcut'] as const)(
  'What people type is understood in a %s',
  async (way, { open }) => {
    const world = await open();
    const { slack, service, dataDir } = world;
    await world.restart({
      COMMANDS_PER_MINUTE: '100000',
      AUDIT_FILE: join(dataDir, 'audit.jsonl'),
      DIAGNOSTICS_LOGIN_URL: `https://${SERVICE}/login`,
    });
    // Leaves out refused commands, which have a full stop in `CASES`, because a shortcut does not refuse their text.
    const cases = CASES.filter(([, command]) => !command.endsWith('.'));
    for (const id of cases.flatMap(([, command]) => idsOf(command))) service.shelve(id, small());
    const expected: string[] = [];
    for (const each of cases) {
      const ids = expectedOf(way, each);
      await send(world, way, each[0]);
      if (way !== 'shortcut' || ids.length === 1) {
        if (ids.length > 0) expected.push(ids.toSorted().join(' '));
        continue;
      }
      const window = await slack.waitFor(() => slack.modals('ana').at(-1), each[0]);
      const offered = JSON.stringify(window.view).match(/(?<="value":")\d{4,20}(?=")/g) ?? [];
      expect([each[0], ...offered.toSorted()]).toEqual([each[0], ...new Set(ids.toSorted())]);
      await slack.closeView(window);
    }
    await eventually(() => expect(accepted(world)).toEqual(expected));
    expect(expected.length).toBeGreaterThan(80);
  },
);
