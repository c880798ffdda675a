import { describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../../../src/core/faults.ts';
import { stateValue } from '../../../../../src/slack/blocks/action-values.ts';
import { remind } from '../../../../../src/slack/features/remind/index.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { away, IN_THREAD, listening, NOW, RESPONSE_URL } from '../../../../support/listening.ts';
import { objectsIn } from '../../../../support/message-parts.ts';
import type { ScriptedAnswer } from '../../../../support/scripted-slack.ts';
import { IN_PROCESS, openedFrom, STATE, THERE } from '../../../../support/shown-results.ts';

const HOUR_MS = 3_600_000;
const NO_DEVICE = { record: async () => undefined, nameOf: async () => undefined };

/** What the form carries of what Slack says of a person. */
function zoneOf(said: ScriptedAnswer): string {
  if (typeof said !== 'object') return '';
  const { user = {} } = said as { user?: { tz?: string; tz_offset?: number } };
  return user.tz ?? String(user.tz_offset);
}

/** The feature with reminders that are stored, but never due; `zone` is what Slack says of the person. */
function reminding({
  changes = {},
  zone = { user: { tz_offset: 7_200 } } as ScriptedAnswer,
  now = NOW,
  add = async () => {},
} = {}) {
  const set: { at: number }[] = [];
  const parts = featureParts(undefined, {
    add: async (reminder) => {
      await add();
      return set.push(reminder) > 0;
    },
    remove: async () => {},
  });
  parts.clock.now = now;
  const here = listening(remind(parts, { of: async () => [] }), {
    changes: { ...THERE.changes, history: parts.history, ...changes },
    slack: ({ method }) => (method === 'users.info' ? zone : {}),
  });
  const fill = (inputs: { when?: string; date?: string } = {}, viewId = 'V1') =>
    here.submit('remind', {
      values: {
        'remind-when': { 'remind-when': { selected_option: inputs.when && { value: inputs.when } } },
        [`remind-date:${zoneOf(zone)}`]: { 'remind-date': { selected_date: inputs.date } },
      },
      metadata: openedFrom(),
      viewId,
    });
  /** What the person was told, beside the message. */
  const told = () =>
    here.of('tell').map(([where, said]) => ({ where, said: said as { text: string; blocks?: object[] } }));
  const drawn = () =>
    here.calls.filter(({ method }) => method === 'views.update').map(({ args }) => args.view);
  const times = () => set.map(({ at }) => at);
  return { ...here, parts, set, fill, told, drawn, times };
}

const inBerlin = (now: string) => ({ zone: { user: { tz: 'Europe/Berlin' } }, now: Date.parse(now) });

describe('The form that asks when to remind somebody', () => {
  test.each([
    [{ when: 'hour' }, {}, new Date(NOW + HOUR_MS).toISOString()],
    [{}, {}, '1970-04-27T07:00:00.000Z'],
    [{ when: 'tomorrow' }, { zone: { user: { tz: 'America/New_York' } } }, '1970-04-27T13:00:00.000Z'],
    // Where the next day has begun.
    [{ when: 'tomorrow' }, { zone: { user: { tz: 'Pacific/Auckland' } } }, '1970-04-27T21:00:00.000Z'],
    [{ when: 'week' }, {}, '1970-05-03T07:00:00.000Z'],
    [{ when: 'hour', date: '1970-07-25' }, {}, '1970-07-25T07:00:00.000Z'],
    // Slack doesn’t say where the person is: UTC.
    [{ date: '1970-05-02' }, { zone: 'missing_scope' as ScriptedAnswer }, '1970-05-02T09:00:00.000Z'],
    // The clocks change between now and then.
    [{ when: 'tomorrow' }, inBerlin('2026-03-28T12:00Z'), '2026-03-29T07:00:00.000Z'],
    [{ when: 'tomorrow' }, inBerlin('2026-10-24T12:00Z'), '2026-10-25T08:00:00.000Z'],
    [{ when: 'week' }, inBerlin('2026-03-24T12:00Z'), '2026-03-31T07:00:00.000Z'],
    [{ date: '2026-10-30' }, inBerlin('2026-10-24T12:00Z'), '2026-10-30T08:00:00.000Z'],
  ])('takes %j of %j as that time', async (inputs, options, at) => {
    const { fill, times } = reminding(options);
    await fill(inputs);
    expect(times().map((time) => new Date(time).toISOString())).toEqual([at]);
  });

  test.each([
    [{ add: away }, 'storage'],
    [IN_PROCESS, 'processing'],
  ])('closes, and says beside the message why nothing was set: %#', async (options, words) => {
    const { fill, done, told, set } = reminding(options);
    await fill();
    expect(done[0]).toEqual(['ack']);
    expect(told()).toEqual([
      {
        where: { responseUrl: RESPONSE_URL, threadTs: '1.1' },
        said: { text: expect.stringMatching(`^No reminder was set.*${words}`) },
      },
    ]);
    expect(set).toEqual([]);
  });

  test.each([
    ['1970-04-26', 'already passed'],
    ['1970-07-26', 'within the next 90 days'],
  ])('stays open, and says at the date what is wrong with it: %s', async (date, words) => {
    const { fill, done, set } = reminding();
    await fill({ date });
    const errors = { 'remind-date:7200': expect.stringContaining(words) };
    expect([done, set]).toEqual([[['ack', { response_action: 'errors', errors }]], []]);
  });

  test.each<[ScriptedAnswer, string]>([
    [{ user: { tz: 'Europe/Berlin', tz_offset: 3_600 } }, 'Europe/Berlin'],
    [{ user: { tz: 'Mars/Olympus', tz_offset: 3_600 } }, '3600'],
    ['missing_scope', ''],
  ])('carries the zone of who opens it, and names the reminder that they have: %j', async (zone, carried) => {
    const { fill, click, calls } = reminding({ zone });
    const open = () => click('more', { blockId: stateValue(STATE), option: 'remind', container: IN_THREAD });
    const shown = () => JSON.stringify(calls.at(-1)?.args.view);
    await open();
    expect(shown()).toContain(`"remind-date:${carried}"`);
    expect(shown()).not.toContain('You have a reminder');
    await fill();
    await open();
    expect(shown()).toContain('You have a reminder for');
  });

  test('promises to tell of newer snapshots only where the device can be told from others', async () => {
    const without = reminding({ changes: { history: NO_DEVICE } });
    const known = reminding();
    for (const here of [without, known]) await here.fill();
    const promised = [without, known].map(({ told }) => told()[0]?.said.text.includes('a newer snapshot'));
    expect(promised).toEqual([false, true]);
  });

  test('says so where a device has fifty reminders already', async () => {
    const { fill, parts, told, set } = reminding({ changes: { history: NO_DEVICE } });
    const others = Array.from({ length: 50 }, (_, at) => ({
      id: at,
      destination: {},
      at: NOW,
      question: {},
    }));
    await parts.store.namespace('reminders').set('snapshot-26808463', others);
    await fill();
    expect(told()).toMatchObject([
      { said: { text: expect.stringMatching('^No reminder was set.*Too many') } },
    ]);
    expect(set).toEqual([]);
  });
});

describe('“Cancel the reminder”', () => {
  const view = { id: 'V1', private_metadata: openedFrom() };

  /** Sets one, and gives what the button of its confirmation carries. */
  async function settled(here: ReturnType<typeof reminding>): Promise<string> {
    await here.fill();
    return objectsIn(here.told()[0]?.said.blocks ?? []).find(({ type }) => type === 'button')
      ?.value as string;
  }

  test('takes back what its person set, in place of the confirmation', async () => {
    const here = reminding();
    const value = await settled(here);
    await here.click('cancel-reminder', { value, user: 'U2' });
    expect(here.parts.outcomes).toEqual(['set']);
    await here.click('cancel-reminder', { value });
    expect(here.parts.outcomes).toEqual(['set', 'cancelled']);
    expect(here.parts.audited.at(-1)).toMatchObject({ event: 'reminder', user: 'U1', outcome: 'cancelled' });
    const replaced = expect.objectContaining({ url: RESPONSE_URL, replaces: true });
    expect(here.of('post').map(([where]) => where)).toEqual([replaced, replaced]);
  });

  test('in the form says there that it was taken back; while the store is away it is not', async () => {
    const here = reminding();
    const value = await settled(here);
    const reminders = here.parts.store.namespace('reminders');
    const change = vi.spyOn(reminders, 'change').mockImplementation(away);
    await expect(here.click('cancel-reminder', { value, view })).rejects.toThrow(StorageFailed);
    await expect(here.click('cancel-reminder', { value })).rejects.toThrow(StorageFailed);
    change.mockRestore();
    await here.click('cancel-reminder', { value, view });
    expect(here.drawn().map((drawn) => JSON.stringify(drawn))).toEqual([
      expect.stringContaining('was cancelled'),
    ]);
  });
});
