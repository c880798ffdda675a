import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../../src/core/diagnostics.ts';
import { hitValue } from '../../../../../src/slack/blocks/action-values.ts';
import { accept, acceptModal } from '../../../../../src/slack/features/accept/index.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { listening, NONE_ACCEPTED, NOW } from '../../../../support/listening.ts';
import { textsOf } from '../../../../support/message-parts.ts';
import { QUESTION } from '../../../../support/shown-results.ts';

const VALUE = hitValue({ view: { question: QUESTION }, hit: 0, name: 'D1', part: 0 });

/** What is shown where somebody accepts a hit, rated high, that is this now; and what is put and noted. */
async function accepting(now: Diagnostic, hasRoom: boolean) {
  const put: unknown[] = [];
  const result = aResult([now]);
  const device = { ...result.device, hostname: 'edge-7.example.com' };
  const acceptances = { ...NONE_ACCEPTED, put: async () => put.push(now) > 0 && hasRoom };
  const read = async () => ({ kind: 'ready', result: { ...result, device }, readAt: NOW });
  const here = listening(accept.listen, { changes: { lookups: { read }, acceptances } });
  const values = { 'accept-reason': { 'accept-reason': { value: 'Known' } } };
  const metadata = JSON.stringify({ channel: 'C1', messageTs: '2.2', hit: VALUE, rated: 'HIGH' });
  await here.submit('accept', { values, metadata });
  const view = here.calls[0]?.args.view as { title: { text: string } };
  return { said: JSON.stringify(view), title: view.title.text, put, noted: here.of('audit') };
}

test('A device with the most accepted hits has no room for one more, which is said and not noted', async () => {
  const { said, title, noted } = await accepting(aDiagnostic({ name: 'D1' }), false);
  expect(said).toContain('take one back first');
  expect(title).toBe('26808463 · edge-7');
  expect(noted).toEqual([]);
});

test('The form names its hit in one line of some length, by its name where it has no title', () => {
  const named = (title: string) =>
    textsOf(acceptModal({ hit: aDiagnostic({ name: 'D1', title }) }, VALUE).blocks, 'text')[0] ?? '';
  expect(named('')).toBe('▲ High · D1');
  expect(named('The fan\n is slow')).toBe('▲ High · The fan is slow');
  expect(named('x'.repeat(1_000)).length).toBeLessThan(220);
});
