import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sideOf } from '../src/core/counting.ts';
import type { Diagnostic, DiagnosticsResult } from '../src/core/diagnostics.ts';
import { levelOf } from '../src/core/importance.ts';
import { DIAGNOSTIC_SETS, type DiagnosticSet } from '../src/core/snapshot-id.ts';
import type { Message } from '../src/slack/blocks.ts';
import { readHit, readPage } from '../src/slack/button-values.ts';
import { shorten } from '../src/slack/limits.ts';
import { detailsModal, NEXT_PART_ACTION } from '../src/slack/messages/details-modal.ts';
import { DETAILS_ACTION } from '../src/slack/messages/hit-blocks.ts';
import { NEXT_ACTION, PREVIOUS_ACTION, resultMessage } from '../src/slack/messages/result-message.ts';
import { anyResult, hugeResult } from './harness/any-result.ts';
import { liveMarkup, objectsIn, textsOf, valuesOf } from './harness/message-parts.ts';
import { snapshotId } from './harness/snapshot-id.ts';
import { blockFaults } from './stand-ins/slack/blocks/faults.ts';
import { viewFaults } from './stand-ins/slack/view-checks.ts';

const ID = snapshotId('26808463');
const READ_AT = Date.UTC(2026, 10, 20);
const SLACKS_LONGEST_TEXT = 4_000;

function pageOf(result: DiagnosticsResult, set: DiagnosticSet, page: number): Message {
  return resultMessage({
    question: { snapshotId: ID, set },
    result,
    page,
    askedBy: 'U0ANA',
    readAt: READ_AT,
  });
}

/** Every page that a person comes to who presses Next until there is none, each with its number. */
function pagesOf(result: DiagnosticsResult, set: DiagnosticSet): Message[] {
  const found: Message[] = [];
  for (let page: number | undefined = 0; page !== undefined; ) {
    const message = pageOf(result, set, page);
    const back = valuesOf(message.blocks, PREVIOUS_ACTION).map((value) => readPage(value).page);
    expect(back).toEqual(page === 0 ? [] : [page - 1]);
    found.push(message);
    const [next] = valuesOf(message.blocks, NEXT_ACTION);
    page = next === undefined ? undefined : readPage(next).page;
  }
  return found;
}

const SMALL_PRINT =
  /^(?:Page \d+ of \d+ · )?(?:hits only · |passed checks only · )?asked by <@U0ANA> · read <!date\^\d+\^\{date_short_pretty\} \{time\}\|[\d: UTC-]+>$/;

function expectGood({ text, blocks }: Message): void {
  expect(blockFaults(blocks, 'message')).toEqual([]);
  expect(text.trim()).not.toBe('');
  expect(text.length).toBeLessThanOrEqual(SLACKS_LONGEST_TEXT);
  expect(liveMarkup(text)).toEqual([]);
  // Markup is read in these only: nothing of a document may be in them.
  for (const mrkdwn of textsOf(blocks, 'mrkdwn')) expect(mrkdwn).toMatch(SMALL_PRINT);
  expect(
    objectsIn(blocks).filter(({ type }) => ['user', 'link', 'broadcast'].includes(String(type))),
  ).toEqual([]);
  expect(textsOf(blocks, 'plain_text').every((label) => label.trim() !== '')).toBe(true);
}

function expectWhole(result: DiagnosticsResult, set: DiagnosticSet): void {
  const pages = pagesOf(result, set);
  for (const page of pages) expectGood(page);
  if (set === 'miss') {
    const names = objectsIn(pages.map(({ blocks }) => blocks)).filter(
      ({ style }) => JSON.stringify(style) === '{"code":true}',
    );
    const expected = sideOf(result, 'miss').map(({ name }) => shorten(name, 60) || ' ');
    expect(names.map(({ text }) => text)).toEqual(expected);
  } else {
    const shown = pages
      .flatMap(({ blocks }) => valuesOf(blocks, DETAILS_ACTION))
      .map((value) => readHit(value).hit);
    expect(shown).toEqual(sideOf(result, 'hit').map((_, index) => index));
  }
}

function partsOf(hit: Diagnostic): ReturnType<typeof detailsModal>[] {
  const question = { snapshotId: ID, set: 'hit' } as const;
  const found: ReturnType<typeof detailsModal>[] = [];
  for (let part: number | undefined = 0; part !== undefined; ) {
    const view = detailsModal({ question, hit, index: 0, total: 1, part });
    found.push(view);
    const [next] = valuesOf(view.blocks, NEXT_PART_ACTION);
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
  const { title, name, summary, action, output, cveIds, fixedIn } = hit;
  const fields = [title, name, summary, action, ...output, ...cveIds, ...fixedIn, levelOf(hit).word];
  expect(fields.filter((field) => !text.includes(field)).map((field) => field.slice(0, 80))).toEqual([]);
  const labels = textsOf(parts, 'plain_text');
  for (const { url, id = '' } of hit.solutions) {
    expect(addresses.includes(URL.parse(url)?.href) || text.includes(url)).toBe(true);
    expect(id.trim() === '' || labels.includes(id.trim()) || text.includes(id)).toBe(true);
  }
}

describe('whatever a document holds', () => {
  test('Slack takes every page of every set, nothing in it is live, and every diagnostic is on one page', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        for (const set of DIAGNOSTIC_SETS) expectWhole(result, set);
      }),
      { numRuns: 200 },
    );
  });

  test('the same is true of 2,000 diagnostics', () => {
    fc.assert(
      fc.property(hugeResult, fc.constantFrom<DiagnosticSet>('all', 'miss'), (result, set) =>
        expectWhole(result, set),
      ),
      // Shrinking 2,000 diagnostics would take minutes; the seed is printed all the same.
      { numRuns: 1, endOnFailure: true },
    );
  });

  test('the same is true of nothing but what Slack escapes, where every text is at its longest', () => {
    const long = '&<>'.repeat(200);
    const diagnostic = (isHit: boolean): Diagnostic => ({
      name: long,
      isHit,
      importance: long,
      title: long,
      summary: `${long} `,
      action: long,
      output: [long],
      solutions: Array.from({ length: 9 }, () => ({
        url: `https://x.example/?${'&'.repeat(100)}`,
        id: long,
      })),
      cveIds: [long],
      fixedIn: [long],
    });
    const texts = { hostname: long, chassisSerial: long, platform: long };
    const result: DiagnosticsResult = {
      sha1: long,
      device: texts,
      software: { product: long, version: long, edition: long, built: long },
      stated: { hits: 1_000_000, misses: 1_000_000 },
      diagnostics: Array.from({ length: 60 }, (_, index) => diagnostic(index % 2 === 0)),
    };
    for (const set of DIAGNOSTIC_SETS) expectWhole(result, set);
    expectAllText(diagnostic(true));
  });

  test('the details of a hit are modals that Slack takes, and hold the whole of every text', () => {
    fc.assert(
      fc.property(anyResult, ({ diagnostics }) => {
        for (const diagnostic of diagnostics.slice(0, 6)) expectAllText(diagnostic);
      }),
      { numRuns: 100 },
    );
  });
});
