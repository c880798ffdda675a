import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { linesOf } from '../../../../src/slack/answer/fitting.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/block-kit/action-values.ts';
import { LIMITS, weigh } from '../../../../src/slack/block-kit/limits.ts';
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

test.each([
  ['hits', 8, 0],
  ['hits and lines', 7, 2],
])(
  'However long its links are, Slack takes a page of %s, which has them as long as it does',
  (_what, added, cleared) => {
    const heavy = `${'<'.repeat(17)} `.repeat(40);
    const hits = (size: number, name: string, url: string) =>
      Array.from({ length: size }, (_, at) =>
        aDiagnostic({
          ...{ name: `${name}${at}`, title: heavy, action: heavy },
          solutions: ['a', 'b'].map((id) => ({ url: `https://x.example/${id}${url}`, id })),
        }),
      );
    const pages = Array.from({ length: 36 }, (_, at) => {
      const url = 'a'.repeat(at * 10);
      const state = {
        ...stateOf(1),
        before: { snapshotId: snapshotId('1000'), set: 'hit' as const },
        beforeMadeAt: 0,
      };
      const before = { result: aResult(hits(cleared, 'C', url)), readAt: 0 };
      return viewMessage(state, { result: aResult(hits(added, 'D', url)), readAt: 0, before }).blocks;
    });
    expect(pages.filter((blocks) => weigh(blocks) > LIMITS.messageJson)).toEqual([]);
    const linked = pages.map((blocks) => objectsIn(blocks).some(({ url }) => url !== undefined));
    expect([linked[0], linked.at(-1)]).toEqual([true, false]);
  },
);

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
