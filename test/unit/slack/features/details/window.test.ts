import { describe, expect, test } from 'vitest';
import type { Answers } from '../../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../../src/slack/answer/result-model.ts';
import { resultModal } from '../../../../../src/slack/answer/result-window.ts';
import type { ViewState } from '../../../../../src/slack/blocks/action-values.ts';
import {
  type DetailsView,
  detailsModal,
  sharedHitMessage,
} from '../../../../../src/slack/features/details/window.ts';
import { isRecord } from '../../../../emulators/slack/json.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { objectsIn } from '../../../../support/message-parts.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const STATE: ViewState = {
  question: { snapshotId: snapshotId('1001'), set: 'all' },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};
const HITS = ['One', 'Two', 'Three'].map((title, at) => aDiagnostic({ name: `D${at}`, title }));

/** The ids of the buttons and menus of a view that lead to something else of it, in their order. */
function controlsOf({ blocks }: { readonly blocks: readonly object[] }): unknown[] {
  const all = objectsIn(blocks.filter(isRecord)).flatMap(({ action_id }) => action_id ?? []);
  return all.filter((id) => id !== 'hit-accept');
}

function details(
  changes: Partial<DetailsView> = {},
  hits = HITS,
  state = STATE,
  more: Partial<Answers> = {},
) {
  const model = modelOf(state, { result: aResult(hits), readAt: 0, ...more });
  return detailsModal({ model, index: 0, part: 0, sharing: 'impossible', ...changes });
}

describe('The details', () => {
  test('lead to the hit before and to the next one, where there is one', () => {
    expect([0, 1, 2].map((index) => controlsOf(details({ index })))).toEqual([
      ['hit-next'],
      ['hit-previous', 'hit-next'],
      ['hit-previous'],
    ]);
    const only = details({}, HITS.slice(0, 1));
    expect(controlsOf(only)).toEqual([]);
  });

  test('offer to accept a hit, and no check that passed, and nothing of several devices', () => {
    const offers = (...shown: Parameters<typeof details>) =>
      JSON.stringify(details(...shown)).includes('"hit-accept"');
    const miss: ViewState = { ...STATE, question: { ...STATE.question, set: 'miss' } };
    const others = [{ ...STATE.question, snapshotId: snapshotId('1002') }];
    const units = [STATE.question, ...others].map((question) => {
      return { kind: 'ready', question, result: aResult(HITS), readAt: 0 } as const;
    });
    expect([
      offers(),
      offers({}, [aDiagnostic({ match: 'miss' })], miss),
      offers({}, HITS, { ...STATE, others }, { units }),
    ]).toEqual([true, false, false]);
  });

  describe('that are long', () => {
    const long = aDiagnostic({
      title: 'Long',
      output: Array.from({ length: 100 }, (_, at) => `${at}:${'x'.repeat(1_000)}`),
    });
    const part = (number: number) => details({ part: number }, [long]);
    const partOf = (number: number) =>
      Number(/Part (\d+) of/.exec(JSON.stringify(part(number).blocks))?.[1]) - 1;

    test('have parts that hold everything between them, and lead from each to the next', () => {
      const count = Number(/Part 1 of (\d+)/.exec(JSON.stringify(part(0).blocks))?.[1]);
      const parts = Array.from({ length: count }, (_, at) => part(at));
      const whole = parts.map(({ blocks }) => JSON.stringify(blocks)).join('');
      for (let at = 0; at < 100; at += 1) expect(whole).toContain(`${at}:xxx`);
      const leading = parts.map(controlsOf);
      expect(leading.at(0)).toEqual(['part-next']);
      expect(leading.at(1)).toEqual(['part-previous', 'part-next']);
      expect(leading.at(-1)).toEqual(['part-previous']);
      for (const { blocks } of parts) expect(JSON.stringify(blocks).length).toBeLessThan(21_000);
    });

    test('have so many blocks a part that nobody scrolls for long', () => {
      const solutions = Array.from({ length: 50 }, (_, at) => ({ url: '', id: `K${at}` }));
      const { blocks } = details({}, [aDiagnostic({ title: 'Many', solutions })]);
      expect(JSON.stringify(blocks)).toContain('Part 1 of 2');
    });

    test('show the nearest part where the one that was asked for is not there', () => {
      const last = partOf(99);
      expect([partOf(-1), partOf(0), last, partOf(last)]).toEqual([0, 0, last, last]);
      expect(last).toBeGreaterThan(3);
    });
  });
});

test('A hit that is shared from a comparison is titled by the snapshot that it was found in', () => {
  const [cleared, added] = [aDiagnostic({ name: 'D1' }), aDiagnostic({ name: 'D2', title: 'Two' })];
  const of = (hostname: string, hit: typeof cleared) => {
    const result = aResult([hit]);
    return { result: { ...result, device: { ...result.device, hostname } }, readAt: 0 };
  };
  const before = { snapshotId: snapshotId('1000'), set: 'all' } as const;
  const model = modelOf({ ...STATE, before }, { ...of('edge-7', added), before: of('edge-6', cleared) });
  const messages = model.shown.map((shown, index) =>
    sharedHitMessage({ model, shown, index, sharedBy: 'U1' }),
  );
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringContaining('Snapshot 1001 · edge-7: '),
    expect.stringContaining('Snapshot 1000 · edge-6: '),
  ]);
  // What has no title is told from others by its name, for who hears the button.
  expect(JSON.stringify(messages[1]?.blocks)).toContain('"accessibility_label":"Details: D1"');
});

describe('A result in a modal', () => {
  const answers = { result: aResult(HITS), readAt: 0 };

  test('can be searched, unless it is a comparison', () => {
    expect(resultModal(STATE, answers).submit).toBeDefined();
    const compared: ViewState = { ...STATE, before: { snapshotId: snapshotId('1000'), set: 'all' } };
    const { submit, blocks } = resultModal(compared, { ...answers, before: answers });
    expect([submit, blocks.filter(({ type }) => type === 'input')]).toEqual([undefined, []]);
  });

  test('keeps its state where none of its controls would make sense for one reader', () => {
    const compared: ViewState = { ...STATE, before: { snapshotId: snapshotId('1000'), set: 'all' } };
    const { blocks } = resultModal(compared, { ...answers, before: answers });
    const controls = blocks.at(-1);
    expect(controls?.type).toBe('actions');
    expect(controls?.block_id).toContain('1001');
  });
});
