import type { types } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import type { Answers, Unit } from '../../../../src/lookups/lookup-status.ts';
import { heightOf, linesOf, NARROW_PHONE, PHONE, type Phone } from '../../../../src/slack/answer/fitting.ts';
import { unitsMessage, viewMessage } from '../../../../src/slack/answer/view-message.ts';
import { readState, type ViewState } from '../../../../src/slack/blocks/action-values.ts';
import type { RichElement } from '../../../../src/slack/blocks/blocks.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { fc } from '../../../support/fast-check.ts';
import { textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const STATE: ViewState = {
  question: { snapshotId: snapshotId('1011'), set: 'all' },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};
const BEFORE: ViewState['question'] = { snapshotId: snapshotId('1010'), set: 'all' };
const LAST_READ = {
  ...{ question: BEFORE, at: 0, isNewer: false, isOtherHost: false },
  found: { new: [], changed: [], cleared: [], unchanged: [] },
};

/** Words of letters alone: no sentence ends among them, so that a text may be cut behind each of them. */
const textOf = (most: number) =>
  fc
    .array(fc.stringMatching(/^[a-z]{2,9}$/), { maxLength: 60 })
    .map((words) => words.join(' ').slice(0, most).trim());

/** Hits whose texts have room in the most lines that each of them may take, and are cut for no other reason than the page. */
const anyHit = fc.record({
  title: textOf(75),
  action: textOf(220),
  summary: textOf(220),
  importance: fc.constantFrom('CRITICAL', 'HIGH', 'LOW'),
  cveIds: fc.subarray(['CVE-2026-10004', 'CVE-2026-10005', 'CVE-2026-10006', 'CVE-2026-10007']),
  fixedIn: fc.subarray(['17.1.4', '16.1.6']),
  output: fc.subarray(['a.crt', 'b.crt']),
  isAccepted: fc.boolean(),
  // Two of these take a row each.
  solutions: fc.subarray(
    ['1'.repeat(15), '2'.repeat(15)].map((id) => ({ url: `https://x.example/${id}`, id })),
  ),
});
const anyPage = fc.record({
  // With a button to the next page.
  hits: fc.array(anyHit, { minLength: 4, maxLength: 9 }),
  platform: textOf(60),
  page: fc.constantFrom(0, 1),
  isCompared: fc.boolean(),
  /** Of a comparison: how many hits are new; the others are cleared. */
  added: fc.constantFrom(1, 2, 3, 7),
  hasLast: fc.boolean(),
  isWindow: fc.boolean(),
});
type AnyPage = typeof anyPage extends fc.Arbitrary<infer Page> ? Page : never;

const acceptanceOf = ({ name, importance }: Diagnostic): Acceptance => ({
  ...{ name, importance, user: 'U1', userName: 'ana', at: 0, until: 9 },
  ...{ reason: 'the part is ordered and comes in two weeks', snapshotId: BEFORE.snapshotId, host: '' },
});

function drawn({ hits, platform, page, isCompared, added, hasLast, isWindow }: AnyPage) {
  const all = hits.map(({ isAccepted: _, solutions, ...said }, at) =>
    // The least of three critical hits with two rows each would be more than the page has.
    aDiagnostic({ ...said, name: `D${at}`, solutions: said.importance === 'CRITICAL' ? [] : solutions }),
  );
  const accepted = all.filter((_, at) => hits[at]?.isAccepted).map(acceptanceOf);
  const device = { hostname: '', chassisSerial: 'chs1', platform };
  const result = { ...aResult(isCompared ? all.slice(0, added) : all), device };
  const before = { result: { ...aResult(all.slice(added)), device }, readAt: 0 };
  const answers: Answers = {
    ...{ result, readAt: 0, accepted },
    ...(isCompared ? { before } : hasLast && { lastRead: LAST_READ }),
  };
  const state = { ...STATE, page, ...(isCompared && { before: BEFORE, beforeMadeAt: 0 }) };
  return viewMessage(state, answers, [], isWindow).blocks;
}

/** The paragraphs of a text: each begins on a line of its own. */
function paragraphsIn({ elements }: types.RichTextBlock): RichElement[][] {
  const found: RichElement[][] = [[]];
  for (const section of elements) {
    for (const element of section.type === 'rich_text_section' ? section.elements : []) {
      if (element.type === 'text' && element.text === '\n') found.push([]);
      else found.at(-1)?.push(element);
    }
  }
  return found;
}

/** The lines that blocks take on a phone. */
function linesIn(blocks: readonly types.KnownBlock[], phone: Phone): number {
  const heights = blocks.map((block) => {
    if (block.type === 'header') return linesOf(block.text.text, phone.header);
    if (block.type === 'actions') return block.elements.filter((each) => 'url' in each).length > 1 ? 2 : 1;
    if (block.type !== 'rich_text') throw new Error('a page has no such block');
    return paragraphsIn(block).reduce((sum, each) => sum + heightOf(each, phone), 0);
  });
  return heights.reduce((sum, each) => sum + each, 0);
}

/** What is above the small print and the controls of a page, and the lines that it may take. */
function roomOf({ isWindow, isCompared, hasLast }: AnyPage, page: number): [lines: number, phone: Phone] {
  if (isWindow) return [42, NARROW_PHONE];
  if (page > 0) return [28, NARROW_PHONE];
  // "Compare" makes a second row of controls.
  return [hasLast && !isCompared ? 20 : 22, PHONE];
}

test('A page takes no more lines than its screen has, and cuts the texts of its hits only where it takes all of them', () => {
  fc.assert(
    fc.property(anyPage, (asked) => {
      const blocks = drawn(asked);
      const page = readState(blocks.at(-1)?.block_id).page;
      const shown = blocks.slice(0, -2);
      const [room, phone] = roomOf(asked, page);
      const lines = linesIn(shown, phone);
      expect(lines).toBeLessThanOrEqual(room);
      const hits = shown.filter((_, at) => shown[at + 1]?.type === 'actions');
      // A second row of controls takes two, and the next text in the order of worth may take more than one.
      if (JSON.stringify(hits).includes('…'))
        expect(lines).toBeGreaterThanOrEqual(room - (page > 0 || asked.isWindow ? 2 : 0) - 1);
    }),
    { numRuns: 300 },
  );
});

const many = (size: number, match: Diagnostic['match']) =>
  Array.from({ length: size }, (_, at) => aDiagnostic({ name: `D${at}`, match }));

test.each<[string, Partial<ViewState>, Diagnostic[], string]>([
  ['hits', {}, many(6, 'hit'), 'Hits 4–6 of 6'],
  ['what a search finds', { search: ['core'] }, [...many(3, 'hit'), ...many(5, 'miss')], 'Found 4–8 of 8'],
  ['checks that a search finds', { search: ['core'], side: 'miss' }, many(12, 'miss'), 'Checks 11–12 of 12'],
])('A page says which of %s it has', (_what, asked, diagnostics, position) => {
  const found = asked.search && { found: { matches: new Set(diagnostics), verdicts: [] } };
  const answers = { result: aResult(diagnostics), readAt: 0, ...found };
  const { text, blocks } = viewMessage({ ...STATE, ...asked, page: 1 }, answers);
  expect(textsOf(blocks, 'mrkdwn').join()).toMatch(new RegExp(`^${position} · `));
  expect(text).toContain(position.toLowerCase());
});

test('Of five snapshots a header has no room for their ids', () => {
  const header = (size: number) => {
    const units = Array.from({ length: size }, (_, at): Unit => {
      const question = { ...BEFORE, snapshotId: snapshotId(String(1001 + at)) };
      return { kind: 'failed', why: 'forbidden', question };
    });
    const [question = BEFORE, ...others] = units.map((unit) => unit.question);
    return textsOf(unitsMessage({ ...STATE, question, others }, units).blocks, 'plain_text')[0];
  };
  expect(header(4)).toBe('Snapshots 1001, 1002, 1003, 1004');
  expect(header(5)).toBe('Snapshots 1001 and 4 others');
});

test('Below many snapshots the titles of checks take a second line only as far as the page has lines', () => {
  const title = 'A title that takes two lines on a phone, as those of many checks do';
  const checks = many(7, 'miss').map((check) => ({ ...check, title }));
  const units = Array.from({ length: 8 }, (_, at): Unit => {
    const device = { hostname: `host-${at}`, chassisSerial: '', platform: '' };
    const question = { snapshotId: snapshotId(String(1001 + at)), set: 'miss' as const };
    return { kind: 'ready', question, readAt: 0, result: { ...aResult(checks), device } };
  });
  const [question = BEFORE, ...others] = units.map((unit) => unit.question);
  const { blocks } = unitsMessage({ ...STATE, question, others }, units);
  expect(linesIn(blocks.slice(0, -2), PHONE)).toBe(22);
});
