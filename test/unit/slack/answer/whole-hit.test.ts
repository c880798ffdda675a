import { describe, expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { contentsOf, reportHead, sizesOf, wholeHit } from '../../../../src/slack/answer/whole-hit.ts';
import type { View } from '../../../../src/slack/blocks/action-values.ts';
import { LIMITS } from '../../../../src/slack/blocks/limits.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const ALL: View = { question: { snapshotId: snapshotId('1001'), set: 'all' } };
const _MISSES: View = { question: { ...ALL.question, set: 'miss' } };
const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const _CHECK = aDiagnostic({ name: 'C1', match: 'miss' });
const UNSTATED = aDiagnostic({ name: 'D9', isMatchUnstated: true, title: 'What may be' });

function modelFor(view: View, diagnostics: readonly Diagnostic[], accepted: readonly Acceptance[] = []) {
  return modelOf(view, { result: aResult(diagnostics), readAt: 0, accepted });
}

describe('The details of a hit', () => {
  const blocksOf = (said: Partial<Diagnostic>, accepted?: Acceptance) => {
    const model = modelFor(ALL, [aDiagnostic({ ...said })], accepted && [accepted]);
    const [shown] = model.shown;
    if (shown === undefined) throw new Error('one is listed');
    return wholeHit(shown, model);
  };
  const linesOf = (said: Partial<Diagnostic>, accepted?: Acceptance) =>
    blocksOf(said, accepted).map((block) => textsOf([block], 'text').join(''));

  test('say what it is, what to do, what was found, and why it matters, in this order', () => {
    const said = {
      ...{ title: 'A leak', summary: 'It grows.', action: 'Restart.', output: ['90 days'] },
      ...{ cveIds: ['CVE-2026-1'], fixedIn: ['17.1.4'], otherName: 'H1' },
    };
    expect(linesOf(said)).toEqual([
      ...['A leak', '▲ High · D000000001', 'Action: Restart.', 'Fixed in: 17.1.4'],
      ...['Found on this device:', '90 days'],
      ...['Summary: It grows.', 'Also named: H1', 'CVEs: CVE-2026-1'],
    ]);
    const [title] = objectsIn(blocksOf(said).slice(0, 1)).filter(({ type }) => type === 'text');
    expect(title).toMatchObject({ style: { bold: true } });
    expect(linesOf({ action: 'For more information, see the linked article.' }).join()).not.toContain(
      'Action',
    );
  });

  test('say that its match is not stated, and who accepted it', () => {
    expect(linesOf(UNSTATED).slice(0, 2)).toEqual(['What may be', '▲ High · match not stated · D9']);
    const accepted: Acceptance = {
      ...{ name: 'D000000001', importance: 'HIGH', user: 'U1', userName: 'ana', reason: 'booked' },
      ...{ at: 0, until: 9, snapshotId: ALL.question.snapshotId, host: '' },
    };
    expect(linesOf({}, accepted).join()).toContain('Accepted by ana');
  });

  test('have an id as text where its button can’t hold it, and the host of a link that leads elsewhere', () => {
    const [longest, longer] = ['K'.repeat(LIMITS.buttonText), 'K'.repeat(LIMITS.buttonText + 1)];
    const solutions = [longest, longer].map((id) => ({ url: 'https://x.example/1', id }));
    expect(linesOf({ solutions }).filter((line) => line.startsWith('Solution: '))).toEqual([
      `Solution: ${longer} · https://x.example/1`,
    ]);
    const hosts = ['x.example', 'x.example', 'y.example'];
    const links = hosts.map((host) => ({ url: `https://${host}/1`, id: 'K1' }));
    expect(textsOf(blocksOf({ solutions: links }), 'plain_text')).toEqual(['K1', 'K1', 'y.example: K1']);
  });
});

describe('A file says what is in it', () => {
  const _of = (view: View, diagnostics: readonly Diagnostic[], listed?: readonly Diagnostic[]) => {
    const model = modelFor(view, diagnostics);
    const rows = (listed ?? model.shown.map((row) => row.hit)).map((each) => ({ hit: each }));
    return [contentsOf(model, rows), sizesOf(model, rows)];
  };

  test('in a head without empty lines, each on one line', () => {
    const device = { hostname: '', chassisSerial: 'chs\n1', platform: 'C117' };
    const model = modelOf(ALL, { result: { ...aResult([hit('D1')]), device }, readAt: 0 });
    expect(reportHead(model, model.shown)).toEqual([
      'Snapshot 1001',
      'C117 · chs 1 · Product 17.1.3',
      '1 hit — 1 high',
      'Listed here: 1 hit. Read 1970-01-01 00:00 UTC.',
    ]);
  });
});
