import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import type { DiagnosticsResult } from '../../../../../src/core/diagnostics.ts';
import { search } from '../../../../../src/core/searching.ts';
import type { Answers } from '../../../../../src/lookups/lookup-status.ts';
import { readDocument } from '../../../../../src/service/document.ts';
import { webAddress } from '../../../../../src/slack/answer/solutions.ts';
import type { View } from '../../../../../src/slack/blocks/action-values.ts';
import type { ExportChoice } from '../../../../../src/slack/features/export/file.ts';
import { documentXml, type SnapshotDocument } from '../../../../emulators/diagnostics-service/document.ts';
import { hostileDocument } from '../../../../emulators/diagnostics-service/shelf/hostile.ts';
import { realisticDocument } from '../../../../emulators/diagnostics-service/shelf/scenarios.ts';
import { fc } from '../../../../support/fast-check.ts';
import { fileOf } from '../../../../support/file-of.ts';
import { shortHostileText } from '../../../../support/hostile-text.ts';
import { readCsv } from '../../../../support/read-csv.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const READ_AT = Date.UTC(2026, 10, 20, 9, 30);
const ID = snapshotId('26808463');
const ALL: View = { question: { snapshotId: ID, set: 'all' } };

function read(document: SnapshotDocument): Answers {
  return { result: readDocument(documentXml(document)), readAt: READ_AT };
}

async function exported(view: View, answers: Answers, choice: ExportChoice) {
  return (await fileOf(view, answers, choice)).file;
}

const REALISTIC = read(realisticDocument());

const TAGS = /<\/?([a-z][a-z0-9]*)\b[^>]*>/gi;
const HREF = /<a href="([^"]*)"/g;
const OURS = new Set(['h1', 'h2', 'p', 'strong', 'a', 'br', 'pre', 'code']);
const FENCES = /<pre>.*?<\/pre>/gs;
const CODE = /<code>.*?<\/code>/gs;

/** What GitHub makes of an export, as HTML. */
async function rendered(result: DiagnosticsResult): Promise<string> {
  const { content } = await exported(ALL, { result, readAt: READ_AT }, 'markdown');
  return micromark(content, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

function text(html: string): string {
  return html
    .replace(TAGS, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

async function expectInert(result: DiagnosticsResult): Promise<void> {
  const html = await rendered(result);
  const tags = new Set([...html.matchAll(TAGS)].map(([, tag = '']) => tag));
  expect([...tags].filter((tag) => !OURS.has(tag))).toEqual([]);
  // Nothing is a link but the articles, so no address links itself and none leads elsewhere.
  const articles = new Set(
    result.diagnostics.flatMap(({ solutions }) => solutions.flatMap((each) => webAddress(each)?.href ?? [])),
  );
  const links = [...html.matchAll(HREF)].map(([, href = '']) => text(href));
  const known = [...articles].flatMap((href) => [href, href.replaceAll('<', '%3C').replaceAll('>', '%3E')]);
  expect(links.map(decoded).filter((href) => !known.map(decoded).includes(href))).toEqual([]);
  // GitHub finds mentions, numbers of issues and commits in what is left.
  const left = html
    .replace(FENCES, '')
    .replace(CODE, '')
    .replace(/<a .*?<\/a>/gs, '');
  expect(text(left)).not.toMatch(/[@#]\w|!\d|\bGH-\d|\b[0-9a-f]{40}\b/i);
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

describe('a renderer of GitHub’s Markdown makes of an export', () => {
  test('the titles and the evidence as they are', async () => {
    const html = await rendered(REALISTIC.result);
    const hits = REALISTIC.result.diagnostics.filter(({ match }) => match === 'hit');
    const titles = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title = '']) => text(title));
    expect(titles.map((title) => title.replace(/^\w+: /, '')).sort()).toEqual(
      hits.map(({ title }) => title).sort(),
    );
    const fences = [...html.matchAll(FENCES)];
    expect(fences).toHaveLength(hits.filter(({ output }) => output.length > 0).length);
    await expectInert(REALISTIC.result);
  });

  test('no mention, picture or link that is not an article’s, of hostile text', async () => {
    await expectInert(read(hostileDocument()).result);
  });

  test('nor one of what GitHub and GitLab call an issue, a commit or a merge request', async () => {
    const text = `GH-26 gh-7, commit ${'0a'.repeat(20)}, !5, x!6, @_ana`;
    const [hit] = REALISTIC.result.diagnostics;
    if (hit === undefined) throw new Error('no hit');
    const diagnostics = [{ ...hit, title: text, summary: text }];
    await expectInert({ ...REALISTIC.result, diagnostics });
    expect(await rendered({ ...REALISTIC.result, diagnostics })).toContain(`<code>${'0a'.repeat(20)}</code>`);
  });

  test('the address of an article, also where it holds what Markdown would read', async () => {
    const [hit] = REALISTIC.result.diagnostics;
    if (hit === undefined) throw new Error('no hit');
    const urls = ['https://support.acme.example/K1?a=1&copy;=2', 'https://support.acme.example/K2?a=\\*b'];
    const result = {
      ...REALISTIC.result,
      diagnostics: [{ ...hit, solutions: urls.map((url) => ({ url })) }],
    };
    await expectInert(result);
    expect((await rendered(result)).match(HREF)).toHaveLength(2);
  });

  test('nor of whatever a text holds', async () => {
    const [hit] = REALISTIC.result.diagnostics;
    if (hit === undefined) throw new Error('no hit');
    await fc.assert(
      fc.asyncProperty(shortHostileText, shortHostileText, async (text, other) => {
        const diagnostics = [
          { ...hit, name: other, title: text, summary: `${text}\n${other}`, action: other, output: [text] },
        ];
        await expectInert({
          ...REALISTIC.result,
          device: { ...REALISTIC.result.device, hostname: text },
          diagnostics,
        });
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

describe('the export of a search', () => {
  const sought = ['CVE-2026-10000', 'CVE-2026-10456', 'CVE-2020-1000'];
  const view: View = { ...ALL, search: sought };
  const exportedSearch = async (choice: ExportChoice | 'case', { result } = REALISTIC) => {
    const found = await search(result.diagnostics, sought);
    return fileOf(view, { ...REALISTIC, result, found }, choice);
  };

  test('holds what the message lists, and says which rows are hits', async () => {
    const { file, comment } = await exportedSearch('csv');
    const rows = readCsv(file.content).slice(1);
    const origin = ['26808463', 'edge-7.example.com · C117 · chs600777s'];
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      [...origin, 'hit', 'H00040009'],
      [...origin, 'passed', expect.stringMatching(/^[DH]/)],
    ]);
    expect(readCsv((await exportedSearch('all-csv')).file.content).slice(1)).toEqual(rows);
    expect(comment).toContain('1 hit, 1 passed check of');
    expect(comment).toContain('Hit: CVE-2026-10000 (H00040009, critical)');
    expect(comment).toContain('Not mentioned in this analysis: CVE-2020-1000');
    expect(file.name).toContain('-search-');
  });

  test('mentions nobody in its comment, whatever a check is called', async () => {
    const diagnostics = REALISTIC.result.diagnostics.map((each) => ({ ...each, name: '<!channel>' }));
    const hostile = { ...REALISTIC, result: { ...REALISTIC.result, diagnostics } };
    const { comment } = await exportedSearch('csv', hostile);
    expect(comment).toContain('Hit: CVE-2026-10000 (&lt;!channel&gt;, ');
    expect(comment).not.toContain('<!channel>');
  });

  test('says its verdict in a report and in the text for the case, too', async () => {
    const report = (await exportedSearch('markdown')).file.content;
    expect(report).toContain('Checked, not a hit: CVE-2026-10456');
    expect(report).toContain('## Passed: ');
    const text = (await exportedSearch('case')).file.content;
    expect(text).toContain('Not mentioned in this analysis: CVE-2020-1000\n');
    expect(text).toMatch(/\n2\. Passed: [^\n]*\n$/);
  });
});
