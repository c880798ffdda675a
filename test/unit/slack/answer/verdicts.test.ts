import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { readSearch, search } from '../../../../src/core/searching.ts';
import { answersOf, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import { reportHead } from '../../../../src/slack/answer/whole-hit.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const CVE = 'CVE-2026-10018';
const PASSED = aDiagnostic({ name: 'D9', match: 'miss', title: 'Another' });
const TITLE = `Shell vulnerability ${CVE}`;

/** What a document can say of the CVE, first what weighs most: how a headline calls it, and how the line of a snapshot does. */
const _SAYS = [
  ['hit', 'Hit', aDiagnostic({ title: TITLE })],
  ['match not stated', 'Match not stated', aDiagnostic({ isMatchUnstated: true, title: TITLE })],
  ['checked, not a hit', 'Checked, not a hit', aDiagnostic({ match: 'miss', title: TITLE })],
  ['only mentioned', 'No check is listed, only mentioned', aDiagnostic({ summary: `As ${CVE} is.` })],
  [
    'not written out',
    'Not written out, only its number or a range',
    aDiagnostic({ title: 'CVE-2026-10010 to CVE-2026-10020' }),
  ],
  ['not mentioned', 'Not mentioned in this analysis', aDiagnostic({ title: 'Core dump' })],
] as const;

/** The names `a`, `b`, … of snapshots with these diagnostics, in which this is sought; undefined: one without a result. */
async function sought(text: string, lists: readonly (readonly Diagnostic[] | undefined)[]) {
  const terms = readSearch(text);
  const units = await Promise.all(
    lists.map(async (diagnostics, at): Promise<Unit> => {
      const question = { snapshotId: snapshotId(String(1001 + at)), set: 'all' } as const;
      if (diagnostics === undefined) return { kind: 'failed', why: 'forbidden', question };
      const hostname = 'abcdef'.charAt(at);
      const result = { ...aResult(diagnostics), device: { hostname, chassisSerial: '', platform: '' } };
      return { kind: 'ready', question, readAt: 0, result, found: await search(diagnostics, terms) };
    }),
  );
  const [question, ...others] = units.map((unit) => unit.question);
  if (question === undefined) throw new Error('a search in nothing');
  const asked = { question, others, search: terms };
  const answers = answersOf(asked, units);
  if (answers === undefined) throw new Error('none has a result');
  const state = { ...asked, page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 };
  const report = reportHead(modelOf(state, answers), []);
  return {
    lines: textsOf(viewMessage(state, answers).blocks[1], 'text').filter((line) => line !== '\n'),
    report,
  };
}

test('Beside the verdict on an id stands how much says the other words, too', async () => {
  const hit = aDiagnostic({ title: `${TITLE} in the core` });
  const first = async (text: string) => (await sought(text, [[hit], [hit, PASSED]])).lines.slice(0, 2);
  expect(await first(`${CVE} patched`)).toEqual([`${CVE}: hit on both`, 'no hit together with “patched”']);
  expect(await first(`${CVE} core`)).toEqual([`${CVE}: hit on both`, '1 hit together with “core”']);
  expect((await first('patched'))[0]).toBe('“patched”: no hit');
});

test('Of several ids the headline says every outcome of each, and the lines of the snapshots how they are', async () => {
  const hit = aDiagnostic({ title: TITLE });
  const passed = aDiagnostic({ match: 'miss', title: TITLE });
  const { lines } = await sought(`${CVE} K000100032`, [[hit], [passed], [hit], undefined]);
  expect(lines.slice(0, 4)).toEqual([
    `${CVE}: hit on 2 of 4 (a and c); checked, not a hit on 1 of 4 (b)`,
    'K000100032: not mentioned on the 3 with a result',
    'a · 17.1.3 · 1 high',
    'b · 17.1.3 · no known issues found',
  ]);
});

test('Where the service sent only hits, nothing is said of what else it checked', async () => {
  const only = 'The service sent only hits: what else it checked is not known.';
  const hit = aDiagnostic({ title: 'Core dump' });
  expect((await sought(CVE, [[hit], [hit]])).lines).toContain(only);
  expect((await sought(CVE, [[hit], [hit, PASSED]])).lines).toContain(`a: ${only}`);
  for (const other of [[PASSED], []])
    expect((await sought(CVE, [other, [hit, PASSED]])).lines.join()).not.toContain('sent only hits');
});
