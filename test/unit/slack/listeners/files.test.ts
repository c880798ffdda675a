import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../src/core/lookup.ts';
import { stateValue } from '../../../../src/slack/blocks/action-values.ts';
import { caseText } from '../../../../src/slack/features/case-text/index.ts';
import { NotSlack } from '../../../../src/slack/front/slack-client.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { away, IN_THREAD, listening, menus, NOW, PRIVATE } from '../../../support/listening.ts';
import type { ScriptedCall } from '../../../support/scripted-slack.ts';
import { openedFrom, STATE, THERE } from '../../../support/shown-results.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

type Here = ReturnType<typeof listening>;

const refusal = (error: string) => () => Promise.reject(new webApi.WebAPIPlatformError({ ok: false, error }));
const exports = (options: object, container: object = IN_THREAD) => {
  const here = listening(menus, options);
  const chosen = here.click('more', { blockId: stateValue(STATE), option: 'csv', container });
  return { here, chosen };
};
const outcomes = (here: Here) => here.of('audit').map(([entry]) => entry);
const AUDITED = { event: 'exported', user: 'U1', channel: 'C1', snapshot: '26808463' };

describe('An export', () => {
  test('of a private message has no thread to go to, also where that message stands in one', async () => {
    const { here, chosen } = exports(THERE, { ...PRIVATE, thread_ts: '1.1' });
    await chosen;
    expect(here.of('posted').map(([to]) => to)).toEqual([{ channel: 'U1' }]);
    expect(outcomes(here)).toEqual([{ ...AUDITED, outcome: 'in direct message' }]);
  });

  test('is made once for two taps, and for each person, file and message', async () => {
    const here = listening(menus, THERE);
    const blockId = stateValue(STATE);
    const tap = (option: string, user = 'U1', container: object = IN_THREAD) =>
      here.click('more', { blockId, option, user, container });
    for (const _tap of [1, 2]) await tap('csv');
    await tap('csv', 'U2');
    await tap('markdown');
    await tap('csv', 'U1', { ...IN_THREAD, message_ts: '3.3' });
    expect(outcomes(here).map((entry) => (entry as AuditEntry).user)).toEqual(['U1', 'U2', 'U1', 'U1']);
  });

  test.each([
    ['refused', 'invalid_arguments', ['failed', 'failed']],
    ['perhaps taken', 'internal_error', ['unsure']],
  ])('that was %s is made by the next tap or not', async (_how, error, expected) => {
    const slack = ({ method }: ScriptedCall) => (method.startsWith('files.') ? error : undefined);
    const here = listening(menus, { ...THERE, slack });
    for (const _tap of [1, 2])
      await here.click('more', { blockId: stateValue(STATE), option: 'csv', container: IN_THREAD });
    expect(outcomes(here).map((entry) => (entry as AuditEntry).outcome)).toEqual(expected);
  });

  test('of which Slack names no address of its own is not said to be there perhaps', async () => {
    const checkHost = () => {
      throw new NotSlack();
    };
    const { here, chosen } = exports({ changes: { ...THERE.changes, slack: { checkHost } } });
    await chosen;
    expect(outcomes(here)).toEqual([{ ...AUDITED, outcome: 'failed' }]);
  });
});

describe('“Text for the case”', () => {
  const text = (value: string) => ({ 'case-text-links': { 'case-text': { value } } });
  const post = (here: Here, value: string, metadata = openedFrom(), hash = 'first') =>
    here.submit('case-text', { values: text(value), metadata, hash });

  test('is posted in the thread of the message once, and noted', async () => {
    const here = listening(caseText.listen, THERE);
    await post(here, 'As edited');
    await post(here, 'As edited');
    expect(here.of('posted')).toEqual([
      [{ channel: 'C1', threadTs: '1.1' }, expect.objectContaining({ text: expect.anything() }), 'final'],
    ]);
    const posting = { response_action: 'update', view: expect.anything() };
    expect(here.of('ack')).toEqual([[posting], [posting]]);
    expect(outcomes(here)).toEqual([{ ...AUDITED, event: 'shared' }]);
    expect(here.calls.map(({ args }) => JSON.stringify(args.view))).toEqual([
      expect.stringContaining('The text is in the thread'),
    ]);
  });

  test('begins a thread where there is none; a private message has none, and an empty text is not posted', async () => {
    const here = listening(caseText.listen, THERE);
    await post(here, 'Text', openedFrom({ threadTs: undefined }));
    expect(here.of('posted')[0]?.[0]).toEqual({ channel: 'C1', threadTs: '2.2' });
    const none = listening(caseText.listen, THERE);
    await post(none, 'Text', openedFrom({ messageTs: undefined }));
    await none.submit('case-text', { values: text(' \n '), metadata: openedFrom(), viewId: 'V2' });
    expect([none.of('posted'), none.of('ack')]).toEqual([[], [[], []]]);
  });

  test.each([
    ['not_in_channel', 'I can’t post in that thread'],
    ['internal_error', 'Slack didn’t say whether it took the text'],
  ])(
    'that Slack answers with %s is shown again as it was edited, with why; or that is said beside the message',
    async (error, words) => {
      const changes = { poster: { post: refusal(error) } };
      const here = listening(caseText.listen, { changes });
      await post(here, 'As edited');
      const args = here.calls[0]?.args ?? {};
      expect(args).toMatchObject({
        view_id: 'V1',
        view: { callback_id: 'case-text', private_metadata: openedFrom() },
      });
      expect(JSON.stringify(args.view)).toContain('"initial_value":"As edited"');
      expect(JSON.stringify(args.view)).toContain('"block_id":"case-text-links"');
      expect(JSON.stringify(args.view)).toContain(words);
      // The window as it is shown again is another version of it, which can be submitted as well.
      await post(here, 'As edited', openedFrom(), 'second');
      expect(here.calls.length).toBe(2);
      const closed = listening(caseText.listen, { changes, slack: () => 'not_found' });
      await post(closed, 'As edited');
      expect(closed.of('tell')).toMatchObject([
        [{ threadTs: '1.1' }, { text: expect.stringContaining(words) }],
      ]);
      expect([...outcomes(here), ...outcomes(closed)]).toEqual([]);
    },
  );

  test('of several snapshots has their texts to the end', async () => {
    const hit = aDiagnostic({ title: 'One', action: `${'word '.repeat(450)}end.` });
    const ready = async () => ({ kind: 'ready', result: aResult([hit]), readAt: NOW });
    const others = [{ ...STATE.question, snapshotId: snapshotId('26808470') }];
    const metadata = openedFrom({ state: { ...STATE, others } });
    const here = listening(caseText.listen, { changes: { lookups: { read: ready } } });
    await here.click('case-show', { option: 'all', view: { id: 'V1', private_metadata: metadata } });
    expect(JSON.stringify(here.calls[0]?.args.view)).toContain('word end.');
  });

  test('is posted while the store is away: what was typed must not be lost', async () => {
    const here = listening(caseText.listen, { changes: { leases: { acquire: away } } });
    await post(here, 'As edited');
    expect(here.of('posted')).toHaveLength(1);
  });

  const solutions = Array.from({ length: 100 }, (_, at) => ({
    url: `https://support.acme.example/s/K${at}`,
  }));
  const long = aDiagnostic({ title: 'Long', action: 'word '.repeat(2_000), solutions });
  const read = async () => ({ kind: 'ready', result: aResult([long]), readAt: NOW });
  const LONG = { changes: { lookups: { read } } };

  const KINDS = [
    ['all', /^case/],
    ['links', /^articles/],
  ] as const;

  test.each(KINDS)('of more than the form holds comes to the reader alone: %s', async (option, name) => {
    const here = listening(caseText.listen, LONG);
    await here.click('case-show', { option, view: { id: 'V1', private_metadata: openedFrom() } });
    const [file] = here.calls.filter(({ method }) => method.startsWith('files.'));
    expect(file?.args.filename).toMatch(name);
    expect(here.of('posted').map(([to]) => to)).toEqual([{ channel: 'U1' }]);
    expect(here.of('posted')[0]?.[1]).toMatchObject({
      text: expect.stringContaining('too long for a Slack form'),
    });
    // It was asked for as a file: the form says so already.
    expect(here.calls.filter(({ method }) => !method.startsWith('files.'))).toHaveLength(1);
    // For the thread it is another file, whatever it is called.
    await here.click('case-file', { value: 'all', view: { id: 'V1', private_metadata: openedFrom() } });
    expect(here.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(2);
  });

  test.each(KINDS)('as a file for the thread is the kind that was chosen: %s', async (value, name) => {
    const here = listening(caseText.listen, LONG);
    await here.click('case-file', { value, view: { id: 'V1', private_metadata: openedFrom() } });
    const [announced, , said] = here.calls;
    expect(announced?.args.filename).toMatch(name);
    expect(JSON.stringify(said?.args.view)).toContain('The file is in the thread');
  });
});
