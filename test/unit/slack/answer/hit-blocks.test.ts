import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { linesOf, PHONE } from '../../../../src/slack/answer/fitting.ts';
import { sectionBlocks, sectionsOf } from '../../../../src/slack/answer/hit-blocks.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import { joined } from '../../../../src/slack/answer/wording.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { LIMITS, weigh } from '../../../../src/slack/blocks/limits.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

function pageOf(...hits: Partial<Diagnostic>[]) {
  return blocksOf(0, hits);
}

function blocksOf(page: number, hits: readonly Partial<Diagnostic>[]) {
  const result = aResult(
    hits.map((each, at) => aDiagnostic({ name: `D${at}`, title: `Title ${at}`, ...each })),
  );
  return viewMessage(stateOf(page), { result, readAt: 0 }).blocks;
}

function stateOf(page: number): ViewState {
  return {
    question: { snapshotId: snapshotId('1001'), set: 'hit' },
    ...{ page, askedBy: 'U0ANA', madeAt: 0, turn: 0 },
  };
}

/** What the first page says of hits like these, a line for each paragraph. */
function said(...hits: Partial<Diagnostic>[]): string {
  return textsOf(pageOf(...hits), 'text').join('\n');
}

const WHOLE =
  'Move every virtual server of the group to the other device, one after another, and restart it. Then remove the files.';
const LONG = `Move ${'every virtual server of the group, one after another, '.repeat(5)}to the other device.`;
const TITLE = 'A title that takes both of its lines on a phone, as most of the real ones do';

test('What to do about a critical hit is whole where anything of less worth is cut or left out', () => {
  const critical = { title: TITLE, importance: 'CRITICAL', action: WHOLE };
  const other = { title: TITLE, importance: 'HIGH', action: LONG };
  const text = said(critical, critical, other, other);
  expect(text.split(WHOLE)).toHaveLength(3);
  expect(text).toMatch(/one after another, every.*…/);
});

test('The counts of lower levels give way to what to do about a critical hit, and to nothing else', () => {
  const critical = { title: TITLE, importance: 'CRITICAL', cveIds: ['CVE-2026-10004'] };
  const others = ['HIGH', 'MEDIUM', 'LOW', 'A level of the service, in words of its own'];
  const page = (action: string) => {
    const hits = [1, 2, 3].map(() => ({ ...critical, action }));
    return said(...hits, ...others.map((importance) => ({ title: TITLE, importance })));
  };
  const whole = `${WHOLE} Then start it again, and wait for its log.`;
  expect(page(whole).split(whole)).toHaveLength(4);
  expect(page(whole)).toMatch(/ — 3 critical · 1 high…$/m);
  expect(page(WHOLE.slice(0, 40))).toContain('1 low');
});

test('A level in words of its own that end like a sentence leaves the beginning of the title', () => {
  const critical = { title: TITLE.repeat(3), importance: 'CRITICAL', action: LONG };
  const text = said(critical, critical, { title: TITLE.repeat(3), importance: 'Act now! Today.' });
  expect(text).toMatch(/Act now! Today\. · A title/);
});

test('What can be said in short is, from the last line on, only where the page is full, and where that saves a line', () => {
  const critical = { importance: 'CRITICAL', title: TITLE, cveIds: ['CVE-2026-10004'] };
  const others = ['HIGH', 'MEDIUM', 'LOW'].map((importance) => aDiagnostic({ title: TITLE, importance }));
  const shortOnes = (cleared: number) => {
    const counted = (size: number) => Array.from({ length: size }, () => ({ hit: aDiagnostic() }));
    const found = { new: counted(1), changed: [], cleared: counted(cleared), unchanged: [] };
    const question = { snapshotId: snapshotId('900'), set: 'hit' as const };
    const lastRead = { question, at: 0, isNewer: false, isOtherHost: false, found };
    const pages = Array.from({ length: 40 }, (_, at) => {
      const action = `Move ${'all of it '.repeat(at)}`;
      const result = aResult([...[1, 2, 3].map(() => aDiagnostic({ ...critical, action })), ...others]);
      const { blocks } = viewMessage(stateOf(0), { result, readAt: 0, lastRead });
      const text = JSON.stringify(blocks);
      return joined(' and ', !text.includes('1 low') && 'counts', !text.includes('looked up') && 'last');
    });
    return [...new Set(pages)];
  };
  expect(shortOnes(2)).toEqual(['', 'last', 'counts and last']);
  expect(shortOnes(0)).toEqual(['', 'counts']);
});

test('A level in words of its own leaves room in a list, too', () => {
  const state = {
    ...stateOf(0),
    before: { snapshotId: snapshotId('1000'), set: 'hit' as const },
    beforeMadeAt: 0,
  };
  const gone = aDiagnostic({ title: TITLE.repeat(3), importance: 'Act now! An endless level' });
  const before = { result: aResult([gone]), readAt: 0 };
  const { blocks } = viewMessage(state, { result: aResult([]), readAt: 0, before });
  expect(textsOf(blocks, 'text').join('\n')).toMatch(/^✓ □ Act now! .*… · A title that .*…$/m);
});

test('A long action ends at a sentence where one fits, else after a word, with an ellipsis', () => {
  const many = Array.from({ length: 3 }, () => ({ title: TITLE, action: LONG.repeat(2) }));
  expect(said({ title: TITLE, action: `Reboot. ${LONG.repeat(3)}` }, ...many)).toMatch(/Reboot…/);
  expect(said(...many)).toMatch(/\w…/);
});

test('What the matter is gives way to CVEs and fixed-in versions, and uses the lines that are left', () => {
  const facts = { cveIds: ['CVE-2026-10004', 'CVE-2026-10005'], fixedIn: ['17.1.4', '16.1.6'] };
  const hit = { title: TITLE, summary: LONG, ...facts };
  expect(said(hit, hit, hit).match(/CVE-2026-10004.* · Fixed in 17\.1\.4/g)).toHaveLength(3);
  expect(said({ title: TITLE, summary: WHOLE, action: WHOLE })).toContain(WHOLE);
  expect(said({ title: TITLE, summary: WHOLE })).toContain(WHOLE);
});

test('A text is shown in at most eight lines, however much room there is', () => {
  const words = 'every virtual server of the group, one after another, '.repeat(20);
  const shown = (said: Partial<Diagnostic>) =>
    textsOf(pageOf({ title: TITLE, ...said }), 'text').find((text) => text.startsWith('every'));
  for (const text of [shown({ action: words }), shown({ summary: words })])
    expect(linesOf(text ?? '')).toBe(8);
});

test('Words of the service have so much room that what stands beside them can be read', () => {
  const long = 'An endless level '.repeat(20);
  const text = said({ title: TITLE, importance: long, fixedIn: ['v'.repeat(90), '17.1.4'] });
  expect(text).toMatch(/An endless [^·]*… · A title/);
  expect(text).toContain(`Fixed in ${'v'.repeat(39)}…, 17.1.4`);
});

test('A summary that is the title again is not shown', () => {
  expect(said({ title: 'One thing', summary: ' One\nthing' }).match(/One thing/g)).toHaveLength(1);
});

test('A CVE that stands in the part of a title that is cut is named below it', () => {
  const title = `${TITLE}, ${TITLE}, CVE-2026-10004`;
  expect(said({ title, cveIds: ['CVE-2026-10004'] })).toMatch(/…\n*(.*\n)*CVE-2026-10004/);
});

test('Where the texts and links of a page are too heavy for Slack, the details alone have them', () => {
  const heavy = `${'<'.repeat(17)} `.repeat(40);
  const solutions = ['a', 'b'].map((each) => ({ url: `https://x.example/${each.repeat(330)}`, id: each }));
  const hit = { name: '<'.repeat(60), title: heavy, action: heavy, output: [heavy], solutions };
  const hits = Array.from({ length: 8 }, () => hit);
  const blocks = blocksOf(1, hits);
  expect(weigh(blocks)).toBeLessThanOrEqual(LIMITS.messageJson);
  expect(textsOf(blocks, 'plain_text').filter((label) => label.startsWith('Details'))).toEqual(
    Array.from({ length: 5 }, () => 'Details · evidence · +2'),
  );
});

test('Whatever Slack has room for, a page takes no more of it, and has its texts as far as there is room', () => {
  const heavy = `${'<'.repeat(17)} `.repeat(40);
  const many = (name: string) =>
    Array.from({ length: 4 }, (_, at) => aDiagnostic({ name: `${name}${at}`, title: heavy, action: heavy }));
  const before = { result: aResult(many('C')), readAt: 0 };
  const compared = { ...stateOf(0), before: { snapshotId: snapshotId('1000'), set: 'hit' as const } };
  const model = modelOf(compared, { result: aResult(many('D')), readAt: 0, before });
  const drawn = (room: number) => sectionBlocks(sectionsOf(model.listed, 0, model, PHONE), PHONE, 40, room);
  const [least, whole] = [0, LIMITS.messageJson].map((room) => weigh(drawn(room)));
  const taken = Array.from({ length: 400 }, (_, at) => at * 30).map(
    (room) => [room, weigh(drawn(room))] as const,
  );
  expect(taken.filter(([room, weight]) => weight > Math.max(room, least ?? 0))).toEqual([]);
  expect(new Set(taken.map(([, weight]) => weight))).toEqual(new Set([least, whole]));
});

const article = (at: number) => ({ url: `https://x.example/K${at}`, id: `K${at}` });
const NO_LINK = { url: '', id: 'K9' };
const FTP = { url: 'ftp://x.example/1' };
const TOO_LONG = { url: `https://x.example/${'a'.repeat(2_000)}` };

test.each<[string, Diagnostic['solutions'], string[], string]>([
  ['no article', [], [], 'Details'],
  ['one', [article(0)], ['K0'], 'Details'],
  ['two', [article(0), article(1)], ['K0', 'K1'], 'Details'],
  ['five', [0, 1, 2, 3, 4].map(article), ['K0', 'K1'], 'Details · +3'],
  ['one without an address', [NO_LINK], [], 'Details · +1'],
  ['two after one without an address', [NO_LINK, article(0), article(1)], ['K0', 'K1'], 'Details · +1'],
  ['none but what is no link, or too long for a message', [FTP, TOO_LONG], [], 'Details · +2'],
])(
  'Of the articles of a hit, the first two that can be opened have buttons, and the others are counted: %s',
  (_which, solutions, labels, details) => {
    const buttons = objectsIn(pageOf({ solutions })).filter(({ type }) => type === 'button');
    expect(textsOf(buttons, 'plain_text')).toEqual([...labels, details]);
  },
);
