import { describe, expect, test } from 'vitest';
import { upgradesOf } from '../../../../src/core/upgrading.ts';
import { modelOf } from '../../../../src/slack/answer/model/result-model.ts';
import type { ViewState } from '../../../../src/slack/block-kit/action-values.ts';
import { UnreadableValue } from '../../../../src/slack/block-kit/carried.ts';
import { browseModal } from '../../../../src/slack/views/browse-modal.ts';
import { type DetailsView, detailsModal } from '../../../../src/slack/views/details-modal.ts';
import { homeView } from '../../../../src/slack/views/home-view.ts';
import { readUpgradePosition, upgradeModal } from '../../../../src/slack/views/upgrade-modal.ts';
import { isRecord } from '../../../emulators/slack/json.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { objectsIn } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const STATE: ViewState = {
  question: { snapshotId: snapshotId('1001'), set: 'all' },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};
const HITS = ['One', 'Two', 'Three'].map((title, at) => aDiagnostic({ name: `D${at}`, title }));

/** The ids of the buttons and menus of a view, in their order. */
function controlsOf({ blocks }: { readonly blocks: readonly object[] }): unknown[] {
  return objectsIn(blocks.filter(isRecord)).flatMap(({ action_id }) => action_id ?? []);
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
    expect(only.blocks.filter(({ type }) => type === 'actions')).toEqual([]);
  });

  test('can be shared where there is a thread, and again after a refusal', () => {
    const sharing = (['possible', 'refused', 'done', 'impossible'] as const).map((each) =>
      controlsOf(details({ index: 2, sharing: each })).includes('hit-share'),
    );
    expect(sharing).toEqual([true, true, false, false]);
  });

  test('say whether it is a hit or a check', () => {
    const passed = aDiagnostic({ match: 'miss', title: 'Fine' });
    const state: ViewState = { ...STATE, question: { ...STATE.question, set: 'miss' } };
    expect(details().title.text).toBe('Hit 1 of 3');
    expect(details({}, [passed], state).title.text).toBe('Check 1 of 1');
  });

  test('of a hit that is not there are a bug', () => {
    expect(() => details({ index: 3 })).toThrow(RangeError);
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
    expect(browseModal(STATE, answers).submit).toBeDefined();
    const compared: ViewState = { ...STATE, before: { snapshotId: snapshotId('1000'), set: 'all' } };
    const { submit, blocks } = browseModal(compared, { ...answers, before: answers });
    expect([submit, blocks.filter(({ type }) => type === 'input')]).toEqual([undefined, []]);
  });

  test('keeps its state where none of its controls would make sense for one reader', () => {
    const compared: ViewState = { ...STATE, before: { snapshotId: snapshotId('1000'), set: 'all' } };
    const { blocks } = browseModal(compared, { ...answers, before: answers });
    const controls = blocks.at(-1);
    expect(controls?.type).toBe('actions');
    expect(controls?.block_id).toContain('1001');
  });
});

describe('What upgrades fix', () => {
  const many = Array.from({ length: 30 }, (_, at) => aDiagnostic({ name: `D${at}`, fixedIn: ['17.1.4'] }));
  const upgrades = upgradesOf(aResult(many));
  if (upgrades === undefined) throw new Error('there are upgrades');

  test('has pages; whatever page or version is asked for, the nearest is shown', () => {
    const shown = (upgrade: number, page: number) =>
      JSON.stringify(upgradeModal(upgrades, { upgrade, page }).blocks);
    expect(shown(0, 1)).toContain('Page 2 of 2');
    expect(shown(0, 9)).toBe(shown(0, 1));
    expect(shown(9, 0)).toBe(shown(0, 0));
    expect([shown(0, 0), shown(0, 1)].map((text) => text.includes('D25'))).toEqual([false, true]);
  });

  test('without a page has no buttons for pages', () => {
    const few = upgradesOf(aResult(many.slice(0, 2)));
    if (few === undefined) throw new Error('there are upgrades');
    expect(JSON.stringify(upgradeModal(few, { upgrade: 0, page: 0 }))).not.toContain('Page');
  });

  test('is opened where its button says, if this version wrote it', () => {
    expect(readUpgradePosition('{"upgrade":1,"page":2}')).toEqual({ upgrade: 1, page: 2 });
    for (const value of [undefined, '', '{}', '{"upgrade":-1,"page":0}', '{"upgrade":0,"page":-1}']) {
      expect(() => readUpgradePosition(value)).toThrow(UnreadableValue);
    }
  });
});

describe('The Home tab', () => {
  const operator = { contact: 'the team', loginUrl: 'https://login.example/' };
  const of = (changes: Partial<Parameters<typeof homeView>[0]>) =>
    JSON.stringify(
      homeView({
        recentLookups: [],
        login: { state: 'not-needed' },
        operator,
        command: '/snapshot',
        ...changes,
      }),
    );
  const lookup = {
    ...{ lookupId: 'one', question: STATE.question, channel: 'C1', askedAt: 0, findings: '' },
  };

  test('says of a storage that can’t be read just that, whichever part of it', () => {
    for (const changes of [{ recentLookups: undefined }, { login: undefined }]) {
      expect(of(changes)).toContain('can’t reach its own storage');
      expect(of(changes)).not.toContain('Not logged in');
    }
    expect(of({})).not.toContain('storage');
  });

  test.each([
    ['waiting', 'In progress'],
    ['ready', 'Ready'],
    ['timed-out', 'No result in time'],
    ['withheld', 'Not shown: you no longer have access'],
    ['cancelled', 'Cancelled'],
    ['failed', 'Could not be read'],
    ['broken', 'Could not be read'],
  ] as const)('says of a lookup that is %s: %s', (state, words) => {
    expect(of({ recentLookups: [{ ...lookup, state }] })).toContain(words);
  });
});
