import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { StorageFailed } from '../../../../src/core/faults.ts';
import { answersOf, type LookupStatus, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { withAttention, withShow } from '../../../../src/slack/answer/around-message.ts';
import { messageFor } from '../../../../src/slack/answer/message-for.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import { wholeHit } from '../../../../src/slack/answer/whole-hit.ts';
import { readState, type ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const STATE: ViewState = {
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};
const ANSWERS = { result: aResult([aDiagnostic({ title: 'One' })]), readAt: 5 };
const OPERATOR = { contact: 'the team', loginUrl: 'https://login.example/' };
const said = (blocks: readonly object[]) =>
  [...textsOf(blocks, 'text'), ...textsOf(blocks, 'plain_text'), ...textsOf(blocks, 'mrkdwn')].join('\n');

describe('The message of a lookup', () => {
  const lookup = {
    ...aLookup('one'),
    destination: { channel: 'C1', user: 'U1', threadTs: '0.5' },
    filter: { levels: ['high' as const] },
  };
  const of = (status: LookupStatus, isPrivate = false, changes = {}) => {
    const shown = { ...lookup, ...changes };
    const { channel } = shown.destination;
    return messageFor(shown, status, { operator: OPERATOR, editable: true, isPrivate, channel });
  };
  const stateOf = ({ blocks }: { readonly blocks: readonly { readonly block_id?: string }[] }) =>
    readState(blocks.at(-1)?.block_id);

  test('that is ready has the state by which it is changed later', () => {
    const ready = { kind: 'ready', ...ANSWERS } as const;
    const first = { page: 0, askedBy: 'U1', madeAt: 5, turn: 0 };
    expect(stateOf(of(ready))).toEqual({ question: lookup.question, filter: lookup.filter, ...first });
    expect(stateOf(of(ready, true)).threadTs).toBe('0.5');
    const before = { snapshotId: snapshotId('26808400'), set: 'all' };
    const compared = { ...ready, before: { ...ANSWERS, readAt: 3 } };
    expect(stateOf(of(compared, false, { before, filter: undefined }))).toEqual({
      ...{ question: lookup.question, before, ...first, beforeMadeAt: 3 },
    });
  });

  test('that is ready offers to be on it, but not to one person alone', () => {
    const ready = { kind: 'ready', ...ANSWERS } as const;
    expect(said(of(ready).blocks)).toContain("I'm on it");
    const alone = { destination: { ...lookup.destination, channel: 'D1' } };
    expect(said(of(ready, false, alone).blocks)).not.toContain("I'm on it");
  });

  test.each<[LookupStatus, string]>([
    [{ kind: 'waiting', since: 0, isProcessing: false, reason: '' }, 'Looking up'],
    [{ kind: 'timed-out', reason: '' }, 'not ready'],
    [{ kind: 'cancelled' }, 'cancelled'],
    [{ kind: 'withheld' }, 'access'],
    [{ kind: 'failed', fault: new StorageFailed(), question: STATE.question }, 'storage'],
    [{ kind: 'broken', reference: 'abc123' }, 'abc123'],
  ])('that is %o says so', (status, words) => {
    expect(`${of(status).text}\n${said(of(status).blocks)}`).toContain(words);
  });
});

describe('Who is on it', () => {
  const message = viewMessage(STATE, ANSWERS);
  const by = { owner: { user: 'U1', since: 0 } };

  test('stands in a line below the title, which another drawing replaces', () => {
    expect(withAttention(message, 'C1').blocks).toHaveLength(message.blocks.length);
    const owned = withAttention(message, 'C1', by);
    expect(owned.blocks).toHaveLength(message.blocks.length + 1);
    expect(JSON.stringify(owned.blocks[1])).toContain('"user_id":"U1"');
    expect(withAttention(owned, 'C1', by)).toEqual(owned);
    expect(withAttention(owned, 'C1')).toEqual(withAttention(message, 'C1'));
  });

  test('is nobody’s matter in a direct message, and where nothing can be pressed', () => {
    for (const channel of ['D1', 'U1', 'W1']) expect(withAttention(message, channel, by)).toEqual(message);
    expect(withAttention(message, 'G1', by)).not.toBe(message);
    const still = { text: '', blocks: message.blocks.slice(0, 1) };
    expect(withAttention(still, 'C1', by)).toBe(still);
  });

  test('has a button before the last control, which is left out for one person', () => {
    const shown = withAttention(message, 'C1');
    const ids = (blocks: readonly object[]) => objectsIn(blocks).flatMap(({ action_id }) => action_id ?? []);
    expect(ids(shown.blocks).at(-2)).toBe('on-it');
    expect(ids(withAttention(message, 'C1', by).blocks).at(-2)).toBe('hand-over');
    for (const each of [shown, withAttention(message, 'C1', by)])
      expect(ids(withShow(each, '').blocks.slice(0, -1))).toEqual(ids(message.blocks));
  });
});

describe('The details of a hit', () => {
  const of = (changes: Partial<Diagnostic>) => {
    const model = modelOf(STATE, { result: aResult([aDiagnostic(changes)]), readAt: 0 });
    const [shown] = model.shown;
    if (shown === undefined) throw new Error('there is a hit');
    return wholeHit(shown, model);
  };

  test('have every version and every CVE', () => {
    const text = said(of({ fixedIn: ['17.1.4', '17.5.0'], cveIds: ['CVE-2026-1', 'CVE-2026-2'] }));
    expect(text).toContain('17.1.4, 17.5.0');
    expect(text).toContain('CVE-2026-1, CVE-2026-2');
  });

  test('have as words what can’t be opened or read on a button', () => {
    const id = 'K'.repeat(80);
    const solutions = [
      { url: 'ftp://x.example/1', id: 'K1' },
      { url: 'javascript:x' },
      { url: 'https://x.example/', id },
      // Each of these letters takes six characters of the address that a button has.
      { url: `https://x.example/${'ä'.repeat(600)}` },
    ];
    const lines = said(of({ solutions })).split('\n');
    expect(lines).toContain('K1 · ftp://x.example/1');
    expect(lines).toContain('javascript:x');
    expect(lines).toContain(`${id} · https://x.example/`);
    expect(lines).toContain(`https://x.example/${'ä'.repeat(600)}`);
  });

  test('have rows of five articles, each once', () => {
    const solutions = Array.from({ length: 10 }, (_, at) => ({
      url: `https://x.example/K${at}`,
      id: `K${at}`,
    }));
    const rows = of({ solutions }).filter(({ type }) => type === 'actions');
    expect(rows.map((row) => objectsIn([row]).filter(({ type }) => type === 'button').length)).toEqual([
      5, 5,
    ]);
  });

  test('label a long text once, and begin its lines below the label', () => {
    const text = said(of({ summary: `One.\n${'x'.repeat(5_000)}` }));
    expect(text.split('Summary:')).toHaveLength(2);
    expect(text).toContain('Summary:\n');
  });
});

describe('The evidence of a hit', () => {
  const shown = (...output: string[]) => {
    const hit = aDiagnostic({ title: 'One', output });
    const message = viewMessage(STATE, { result: aResult([hit]), readAt: 5 });
    return textsOf(message.blocks, 'text').find((text) => text.includes('Found: ')) ?? '';
  };

  test.each([
    [
      ['Certificates near their end:', 'a.crt\nb.crt\nc.crt'],
      'Found: Certificates near their end: a.crt · b.crt',
    ],
    [['Certificates near their end:', 'Expired:', 'a.crt'], 'Found: Expired: a.crt'],
    [['Core files', '==========', '/var/core/a.gz', '/var/core/b.gz'], 'Found: Core files · /var/core/a.gz'],
    [['Renew these soon. They are:', 'a.crt'], 'Found: Renew these soon. They are: a.crt'],
    [[`${'The long heading of a list '.repeat(5)}:`, 'a.crt'], 'Found: a.crt'],
    [['x'.repeat(73)], `Found: ${'x'.repeat(71)}…`],
    [['Certificates near their end:'], ''],
    [['Certificates near their end:', '----'], ''],
  ])('%j is never a heading alone', (output, expected) => {
    expect(shown(...output).trim()).toBe(expected);
  });

  test.each([
    [['a.crt'], ['a.crt'], 'Found: a.crt'],
    [['a.crt'], ['b.crt'], 'Found on a: a.crt'],
    [['a.crt'], [], 'Found on a: a.crt'],
    [['Certificates:'], ['b.crt'], 'Found on b: b.crt'],
  ])('says on which device where the other has something else: %j, %j', (one, other, expected) => {
    const units = [one, other].map((output, at): Unit => {
      const device = { hostname: 'ab'.charAt(at), chassisSerial: '', platform: '' };
      const question = { ...STATE.question, snapshotId: snapshotId(String(1001 + at)) };
      const result = { ...aResult([aDiagnostic({ title: 'One', output })]), device };
      return { kind: 'ready', question, readAt: 5, result };
    });
    const [question = STATE.question, ...others] = units.map((unit) => unit.question);
    const asked = { ...STATE, question, others };
    const answers = answersOf(asked, units);
    if (answers === undefined) throw new Error('both have a result');
    expect(textsOf(viewMessage(asked, answers).blocks, 'text')).toContain(expected);
  });

  test('is named on its button, and its blocks are not counted as findings', () => {
    const hit = aDiagnostic({ title: 'One', output: ['Core files:', 'a', 'b'] });
    const message = viewMessage(STATE, { result: aResult([hit]), readAt: 5 });
    expect(JSON.stringify(message)).toContain('Details · evidence');
    expect(JSON.stringify(message)).not.toMatch(/finding/);
  });
});
