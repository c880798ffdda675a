import { describe, expect, test } from 'vitest';
import { modelOf } from '../../../../../src/slack/answer/result-model.ts';
import { resultModal } from '../../../../../src/slack/answer/result-window.ts';
import type { ViewState } from '../../../../../src/slack/block-kit/action-values.ts';
import { type DetailsView, detailsModal } from '../../../../../src/slack/features/details/window.ts';
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

function details(changes: Partial<DetailsView> = {}, hits = HITS, state = STATE) {
  const model = modelOf(state, { result: aResult(hits), readAt: 0 });
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

  test('say whether it is a hit or a check', () => {
    const passed = aDiagnostic({ match: 'miss', title: 'Fine' });
    const state: ViewState = { ...STATE, question: { ...STATE.question, set: 'miss' } };
    expect(details().title.text).toBe('Hit 1 of 3');
    expect(details({}, [passed], state).title.text).toBe('Check 1 of 1');
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
      for (const { blocks } of parts) expect(JSON.stringify(blocks).length).toBeLessThan(25_000);
    });

    test('show the nearest part where the one that was asked for is not there', () => {
      const last = partOf(99);
      expect([partOf(-1), partOf(0), last, partOf(last)]).toEqual([0, 0, last, last]);
      expect(last).toBeGreaterThan(3);
    });
  });
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
