import { describe, expect, test } from 'vitest';
import { reminderValue } from '../../../../src/slack/block-kit/action-values.ts';
import { readMessageModal } from '../../../../src/slack/block-kit/message-modal.ts';
import { listenToReminders, remindModalFor } from '../../../../src/slack/listeners/remind.ts';
import { away, IN_THREAD, listening, NOW, RESPONSE_URL } from '../../../support/listening.ts';
import type { ScriptedAnswer } from '../../../support/scripted-slack.ts';
import { IN_PROCESS, openedFrom, QUESTION, STORE_AWAY, THERE } from '../../../support/shown-results.ts';

const DAY_MS = 24 * 3_600_000;
const VALUE = reminderValue({ id: 'R1', list: 'device' });

/** The form, with what the bot keeps of reminders in place of its queue. */
function reminding({
  changes = {},
  offset = { user: { tz_offset: 7_200 } } as ScriptedAnswer,
  isSet = true,
} = {}) {
  const set: unknown[] = [];
  const cancelled: unknown[][] = [];
  const reminders = {
    inDays: (days: number) => NOW + days * DAY_MS,
    find: async () => undefined,
    set: async (reminder: object) => {
      set.push(reminder);
      return isSet;
    },
    cancel: async (...args: unknown[]) => {
      cancelled.push(args);
      return { question: QUESTION };
    },
  };
  const history = { lastBefore: async () => undefined, nameOf: async () => 'device' };
  const here = listening(listenToReminders, {
    changes: { ...THERE.changes, history, reminders, ...changes },
    slack: ({ method }) => (method === 'users.info' ? offset : {}),
  });
  const fill = (inputs: { when?: string; date?: string } = {}) =>
    here.submit('remind', {
      values: {
        'remind-when': { 'remind-when': { selected_option: inputs.when && { value: inputs.when } } },
        'remind-date': { 'remind-date': { selected_date: inputs.date } },
      },
      metadata: openedFrom(),
    });
  const times = () => set.map((reminder) => (reminder as { at: number }).at);
  return { ...here, set, cancelled, fill, times };
}

describe('The form that asks when to remind somebody', () => {
  test.each([
    [{}, 1],
    [{ when: 'day' }, 1],
    [{ when: 'week' }, 7],
  ])('takes %j as that many days', async (inputs, days) => {
    const { fill, times } = reminding();
    await fill(inputs);
    expect(times()).toEqual([NOW + days * DAY_MS]);
  });

  test('takes a date as nine in the morning where the person is; as nine UTC where Slack does not say where', async () => {
    // The clock here stands at 1970-04-26.
    const date = '1970-05-02';
    const abroad = reminding();
    await abroad.fill({ date });
    expect(abroad.times()).toEqual([Date.parse('1970-05-02T07:00:00Z')]);
    // Where the clocks have changed since the day of that offset.
    const zone = reminding({ offset: { user: { tz: 'America/New_York', tz_offset: -18_000 } } });
    await zone.fill({ date: '1970-04-27' });
    expect(zone.times()).toEqual([Date.parse('1970-04-27T13:00:00Z')]);
    const nowhere = reminding({ offset: { user: { tz: 'Nowhere/At_all', tz_offset: 7_200 } } });
    await nowhere.fill({ date });
    expect(nowhere.times()).toEqual(abroad.times());
    const unknown = reminding({ offset: 'missing_scope' });
    await unknown.fill({ date });
    expect(unknown.times()).toEqual([Date.parse('1970-05-02T09:00:00Z')]);
  });

  test.each([
    ['1970-04-26', 'has already passed'],
    ['1970-07-27', 'within the next 90 days'],
  ])('refuses the date %s, and says so beside the message', async (date, words) => {
    const { fill, of, set } = reminding();
    await fill({ date });
    expect(of('tell')).toEqual([
      [
        { responseUrl: RESPONSE_URL, threadTs: '1.1' },
        { text: expect.stringMatching(`^No reminder was set for snapshot 26808463. .*${words}`) },
      ],
    ]);
    expect(set).toEqual([]);
  });

  test('sets one reminder of the message and its device, and says so beside it, in its thread', async () => {
    const { fill, set, done, of } = reminding();
    await fill({ when: 'day' });
    await fill({ when: 'day' });
    expect(set).toEqual([
      {
        ...{ id: expect.any(String), acceptedAt: NOW, at: NOW + DAY_MS, question: QUESTION, readAt: NOW },
        destination: { channel: 'C1', messageTs: '2.2', threadTs: '1.1', user: 'U1' },
        list: 'device',
        host: '',
      },
    ]);
    expect(done.map(([what]) => what)).toEqual(['ack', 'tell', 'ack']);
    expect(of('tell')).toEqual([
      [
        { responseUrl: RESPONSE_URL, threadTs: '1.1' },
        expect.objectContaining({
          text: expect.stringContaining('as soon as a newer snapshot of this device'),
        }),
      ],
    ]);
    const unnamed = reminding({
      changes: { history: { lastBefore: async () => undefined, nameOf: async () => undefined } },
    });
    await unnamed.fill();
    expect(unnamed.set).toMatchObject([{ list: 'snapshot-26808463' }]);
    expect(JSON.stringify(unnamed.of('tell'))).not.toContain('of this device');
  });

  test.each([
    [{ isSet: false }, 'Too many people'],
    [STORE_AWAY, 'storage'],
    [IN_PROCESS, '26808463'],
  ])('closes, and says why nothing was set: %#', async (options, words) => {
    const { fill, done, of } = reminding(options);
    await fill();
    expect(done[0]).toEqual(['ack']);
    expect(of('tell')).toMatchObject([
      [{}, { text: expect.stringMatching(`^No reminder was set.*${words}`) }],
    ]);
  });

  test.each([
    [THERE, '"callback_id":"remind"'],
    [STORE_AWAY, 'storage'],
    [IN_PROCESS, '26808463'],
  ])('is shown, or why it can not be: %#', async (options, words) => {
    const { context } = reminding(options);
    const opened = readMessageModal({ private_metadata: openedFrom() });
    expect(JSON.stringify(await remindModalFor(opened, 'U1', context))).toContain(words);
  });
});

describe('“Cancel the reminder”', () => {
  test('takes back the reminder of whoever presses it, and says so in place of the confirmation', async () => {
    const { click, cancelled, of } = reminding();
    await click('cancel-reminder', { value: VALUE, user: 'U2' });
    expect(cancelled).toEqual([[{ id: 'R1', list: 'device' }, 'U2']]);
    expect(of('post')).toEqual([
      [
        expect.objectContaining({ url: RESPONSE_URL, replaces: true }),
        expect.objectContaining({ text: 'The reminder for snapshot 26808463 was cancelled.' }),
      ],
    ]);
  });

  test('in the form says there that it was taken back, or why it could not be', async () => {
    const view = { id: 'V1', private_metadata: openedFrom() };
    const done = reminding();
    await done.click('cancel-reminder', { value: VALUE, view });
    expect(JSON.stringify(done.calls[0]?.args.view)).toContain('was cancelled');
    const failing = reminding({ changes: { reminders: { cancel: away } } });
    await failing.click('cancel-reminder', { value: VALUE, view });
    expect(JSON.stringify(failing.calls[0]?.args.view)).toContain('storage');
    await failing.click('cancel-reminder', { value: VALUE });
    expect(JSON.stringify(failing.of('tell'))).toContain('storage');
  });
});

test('“Look up a new snapshot” asks for its id, for an answer in the thread of the reminder', async () => {
  const { click, calls } = reminding();
  await click('look-up-new', { container: IN_THREAD });
  await click('look-up-new');
  const opened = calls.map(({ args }) =>
    JSON.parse((args.view as { private_metadata: string }).private_metadata),
  );
  expect(opened).toEqual([{ channel: 'C1', threadTs: '1.1', hasThread: true }, { channel: 'C1' }]);
});
