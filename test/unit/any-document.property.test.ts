import { describe, expect, test } from 'vitest';
import { CHANGES, compareHits } from '../../src/core/comparing.ts';
import {
  DIAGNOSTIC_SETS,
  type Diagnostic,
  type DiagnosticSet,
  type DiagnosticsResult,
} from '../../src/core/diagnostics.ts';
import { levelOf, sideOf } from '../../src/core/importance.ts';
import type { Answers } from '../../src/lookups/lookup-status.ts';
import { FILTER_ACTION } from '../../src/slack/answer/filter.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import type { ShownHit } from '../../src/slack/answer/rows.ts';
import { DETAILS_ACTION } from '../../src/slack/answer/solutions.ts';
import { actionOf } from '../../src/slack/answer/wording.ts';
import { nameInValue, readFilter, readHit, type View } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { visible } from '../../src/slack/blocks/limits.ts';
import { type DetailsView, detailsModal, sharedHitMessage } from '../../src/slack/features/details/window.ts';
import { blockFaults } from '../emulators/slack/blocks/faults.ts';
import { viewFaults } from '../emulators/slack/view-checks.ts';
import { anyResult, hugeResult } from '../support/any-result.ts';
import { choicesOf } from '../support/clicking.ts';
import { saying } from '../support/every-field.ts';
import { pagesOf } from '../support/every-page.ts';
import { fc } from '../support/fast-check.ts';
import { liveMarkup, objectsIn, textsOf, valuesOf } from '../support/message-parts.ts';
import { listed, numbered, numberOf } from '../support/numbered-titles.ts';
import { SHRINKING } from '../support/shrinking.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const QUESTION = { snapshotId: snapshotId('26808463'), set: 'hit' } as const;
const COMPARED: View = { question: QUESTION, before: { snapshotId: snapshotId('26808400'), set: 'hit' } };
const READ_AT = Date.UTC(2026, 10, 20);

function answersOf(result: DiagnosticsResult, before?: DiagnosticsResult): Answers {
  const earlier = before === undefined ? {} : { before: { result: before, readAt: READ_AT } };
  return { result, readAt: READ_AT, ...earlier };
}

const EMPTY: DiagnosticsResult = {
  sha1: '',
  device: { hostname: '', chassisSerial: '', platform: '' },
  software: { product: '', version: '', edition: '', built: '' },
  stated: {},
  diagnostics: [],
};

/** Which of a view's hits have a Details button, each page after the other. */
function detailed(pages: readonly Message[]): { hit: number; name: string }[] {
  return pages
    .flatMap(({ blocks }) => valuesOf(blocks, DETAILS_ACTION))
    .map((value) => readHit(value))
    .map(({ hit, name }) => ({ hit, name }));
}

function expectAll(pages: readonly Message[], hits: readonly ShownHit[]): void {
  expect(detailed(pages)).toEqual(
    hits.map(({ hit }, index) => ({ hit: index, name: nameInValue(hit.name) })),
  );
}

function expectWhole(document: DiagnosticsResult, set: DiagnosticSet): Message[] {
  const result = numbered(document);
  const view: View = { question: { ...QUESTION, set } };
  const answers = answersOf(result);
  const pages = pagesOf(view, answers);
  if (set !== 'miss') expectAll(pages, modelOf(view, answers).shown);
  expect(listed(pages)).toEqual(set === 'miss' ? sideOf(result, 'miss').map(numberOf) : []);
  return pages;
}

/** Every choice of the filter, and every choice that is offered then: each shows as many hits as it says. */
function expectEveryFilter(result: DiagnosticsResult, pages: readonly Message[], depth = 2): void {
  const choices = choicesOf(pages[0] ?? { blocks: [] }, FILTER_ACTION);
  for (const [label, value] of choices) {
    const view: View = { question: QUESTION, filter: readFilter(value) };
    const hits = modelOf(view, answersOf(result)).shown;
    const { shown: known } = modelOf(view, answersOf(result)).counts;
    expect(label.split(' (').at(-1)).toMatch(new RegExp(`^${known.toLocaleString('en-US')}[ )]`));
    const filtered = pagesOf(view, answersOf(result));
    expectAll(filtered, hits);
    if (depth > 1) expectEveryFilter(result, filtered, depth - 1);
  }
  const levels = [...choices.values()].filter((value) => /^[a-z]+\/$/.test(value)).map(readFilter);
  const each = levels.map(
    (filter) => modelOf({ question: QUESTION, filter }, answersOf(result)).counts.shown,
  );
  if (choices.size > 0 && depth > 1) {
    expect(each.reduce((sum, count) => sum + count, 0)).toBe(sideOf(result, 'hit').length);
  }
}

function expectComparison(...documents: readonly [DiagnosticsResult, DiagnosticsResult]): void {
  const [before, after] = [numbered(documents[0]), numbered(documents[1])];
  const answers = answersOf(after, before);
  const since = [before, after].map((result) => ({
    snapshotId: QUESTION.snapshotId,
    at: READ_AT,
    found: compareHits(sideOf(before, 'hit'), sideOf(result, 'hit')),
  }));
  const status = pagesOf(COMPARED, answers, since);
  const { cleared = [], others = [] } = Object.groupBy(modelOf(COMPARED, answers).shown, ({ kind }) =>
    kind === 'cleared' ? 'cleared' : 'others',
  );
  expectAll(status, others);
  expect(listed(status)).toEqual(cleared.map(({ hit }) => numberOf(hit)));
  const shown = CHANGES.flatMap((show) => {
    const view: View = { ...COMPARED, show };
    expectAll(pagesOf(view, answers), modelOf(view, answers).shown);
    return modelOf(view, answers).shown;
  });
  const kept = shown.filter(({ was }) => was !== undefined).length;
  expect(shown.length + kept).toBe(sideOf(before, 'hit').length + sideOf(after, 'hit').length);
}

function partsOf(hit: Diagnostic): ReturnType<typeof detailsModal>[] {
  const model = modelOf({ question: QUESTION }, answersOf(EMPTY));
  const hits = [{ hit }, { hit }, { hit }];
  const details = {
    model: { ...model, shown: hits },
    index: 1,
    sharing: 'possible',
  } satisfies Partial<DetailsView>;
  const found: ReturnType<typeof detailsModal>[] = [];
  for (let part: number | undefined = 0; part !== undefined; ) {
    const view = detailsModal({ ...details, part });
    found.push(view);
    const [next] = valuesOf(view.blocks, 'part-next');
    part = next === undefined ? undefined : readHit(next).part;
  }
  return found;
}

/** Compared as booleans: a diff of 300 KB helps nobody. */
function expectAllText(hit: Diagnostic): void {
  const parts = partsOf(hit);
  for (const part of parts) expect(viewFaults(part, 'modal')).toEqual([]);
  const text = textsOf(parts, 'text').join('');
  const addresses = objectsIn(parts).map(({ url }) => url);
  // An address with credentials reads like another host.
  expect(addresses.filter((url) => /^\w+:\/\/[^/]*@/.test(String(url)))).toEqual([]);
  const { match, isMatchUnstated, importance, action, solutions, ...texts } = hit;
  const fields = [...Object.values(texts).flat(), actionOf({ action }), levelOf(hit).word];
  expect(fields.filter((field) => !text.includes(visible(field))).map((field) => field.slice(0, 80))).toEqual(
    [],
  );
  const labels = textsOf(parts, 'plain_text');
  for (const { url, id = '' } of solutions) {
    expect(addresses.includes(URL.parse(url)?.href) || text.includes(visible(url))).toBe(true);
    expect(
      id.trim() === '' ||
        labels.some((label) => label.includes(visible(id.trim()))) ||
        text.includes(visible(id)),
    ).toBe(true);
  }
}

function expectShared(hit: Diagnostic, result: DiagnosticsResult): void {
  const model = modelOf({ question: QUESTION }, answersOf(result));
  const { text, blocks } = sharedHitMessage({ model, shown: { hit }, index: 0, sharedBy: 'U0BEN' });
  expect(blockFaults(blocks, 'message')).toEqual([]);
  expect(liveMarkup(text)).toEqual([]);
  for (const mrkdwn of textsOf(blocks, 'mrkdwn'))
    expect(mrkdwn).toMatch(/^shared by <@U0BEN> · <!date\^\d+\^read [^>]*>/);
}

/** Every text at its longest, of nothing but what Slack escapes. */
function heaviest(level = (_index: number) => '&<>'.repeat(200)): DiagnosticsResult {
  const long = '&<>'.repeat(200);
  const diagnostic = (index: number): Diagnostic => ({
    ...saying(long),
    match: (['hit', 'miss', 'hit', 'hit'] as const)[index % 4] ?? 'hit',
    importance: level(index),
    summary: `${long} `,
    solutions: Array.from({ length: 9 }, () => ({ url: `https://x.example/?${'&'.repeat(100)}`, id: long })),
    cveIds: index % 4 === 0 ? [long] : [],
  });
  const texts = { hostname: long, chassisSerial: long, platform: long };
  return {
    sha1: long,
    device: texts,
    software: { product: long, version: long, edition: long, built: long },
    stated: { hits: 1_000_000, misses: 1_000_000 },
    diagnostics: Array.from({ length: 60 }, (_, index) => diagnostic(index)),
  };
}

describe('whatever a document holds', () => {
  test('Slack takes every page of every set, nothing in it is live, and every diagnostic is on one page', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        for (const set of DIAGNOSTIC_SETS) expectWhole(result, set);
      }),
      { numRuns: 200, ...SHRINKING },
    );
  });

  test('the same is true of every filter, and of every filter that is chosen after it', () => {
    fc.assert(
      fc.property(anyResult, (result) => expectEveryFilter(result, expectWhole(result, 'hit'))),
      { numRuns: 30, ...SHRINKING },
    );
  });

  test('the same is true of a comparison of any two, whatever of it is shown', () => {
    fc.assert(
      fc.property(anyResult, anyResult, (one, other) => {
        expectComparison(one, other);
        // Any two have hardly a name in common; these have them all.
        expectComparison(one, {
          ...one,
          diagnostics: one.diagnostics.map((each) => ({ ...each, importance: 'LOW' })),
        });
      }),
      { numRuns: 60, ...SHRINKING },
    );
  });

  test('the same is true of 2,000 diagnostics', () => {
    fc.assert(
      fc.property(hugeResult, fc.constantFrom<DiagnosticSet>('all', 'miss'), (result, set) => {
        expectWhole(result, set);
      }),
      { numRuns: 1, ...SHRINKING },
    );
  });

  test('the same is true where every text is at its longest', () => {
    const words = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', '', '&<>'.repeat(200)];
    const mixed = heaviest((index) => words[Math.floor(index / 2) % words.length] ?? '');
    for (const result of [heaviest(), mixed]) {
      for (const set of DIAGNOSTIC_SETS) expectWhole(result, set);
      expectEveryFilter(result, expectWhole(result, 'hit'));
      for (const diagnostic of result.diagnostics.slice(0, 2)) {
        expectAllText(diagnostic);
        expectShared(diagnostic, result);
      }
    }
    expectComparison(heaviest(), mixed);
  });

  test('the details of a hit are modals that Slack takes, and hold the whole of every text; shared, it is a message', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        for (const diagnostic of result.diagnostics.slice(0, 6)) {
          expectAllText(diagnostic);
          expectShared(diagnostic, result);
        }
      }),
      { numRuns: 100, ...SHRINKING },
    );
  });
});
