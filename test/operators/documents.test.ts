import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.ts';
import { DOCUMENT_COMMANDS } from '../support/document-commands.ts';
import { EVERY_FAULT } from '../support/every-fault.ts';
import { metricsTable } from '../support/generated-documents.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

// biome-ignore lint/style/noProcessEnv: with UPDATE_DOCS=1 the test writes the generated parts anew.
const UPDATE = process.env.UPDATE_DOCS === '1';

const PARTS: readonly (readonly [file: string, part: string, make: () => string | Promise<string>])[] = [
  ['docs/reference.md', 'metrics', metricsTable],
];

test.for(PARTS)(
  '%s: “%s” is what the code says (UPDATE_DOCS=1 writes it anew)',
  async ([file, part, make]) => {
    const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
    const text = readFileSync(file, 'utf8');
    const [before = '', after = ''] = [text.split(begin)[0], text.split(end)[1]];
    const wanted = `${before}${begin}\n\n${await make()}\n\n${end}${after}`;
    if (UPDATE) writeFileSync(file, wanted);
    expect(readFileSync(file, 'utf8')).toBe(wanted);
  },
);

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md')];

const FENCE = /^ *```[a-z]*\n([\s\S]*?)\n *```$/gm;
/** Code within a line of Markdown. */
const INLINE = /(?<!`)`([^`\n]+)`(?!`)/g;
const COMMAND =
  /^(?:[A-Z_]+=\S+ )*(?:npm|npx|docker|kubectl|helm|promtool|systemd-analyze|systemctl|openssl|mkdir|printf|curl|cp|node|\.ci\/run|deploy\/systemd\/tool)\b(?:[ /]|$)/;

function commandsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(FENCE)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.replace(FENCE, '').matchAll(INLINE)].map(([, code = '']) => code);
  return [...blocks, ...inline]
    .map((line) => line.trim())
    .filter((line) => COMMAND.test(line) && line.includes(' '));
}

describe('the commands in the documents', () => {
  const found = [...new Set(DOCUMENTS.flatMap(commandsIn))];

  test.each(found)('“%s” is run by a test, or has a reason', (command) => {
    const where = DOCUMENT_COMMANDS[command];
    expect(where, 'add it to the list in test/support/document-commands.ts').toBeDefined();
    const [file = ''] = where?.split(',') ?? [];
    if (!/^not run(?: in a test)?: /.test(file)) expect(statSync(file).isFile()).toBe(true);
  });

  test('include every command of the list', () => {
    expect(Object.keys(DOCUMENT_COMMANDS).filter((command) => !found.includes(command))).toEqual([]);
  });

  test('name scripts of package.json and files of the tests that are there', () => {
    for (const command of found) {
      const [, script] = /\bnpm run ([\w:]+)/.exec(command) ?? [];
      if (script !== undefined) expect(Object.keys(packageFile.scripts), command).toContain(script);
      const [, path] = /\bvitest run (\S+)/.exec(command) ?? [];
      if (path !== undefined) expect(() => statSync(path), command).not.toThrow();
    }
  });

  test('make secrets for Compose that the bot takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-secrets-'));
    const commands = commandsIn('docs/operate.md').filter((line) => /(?:700|>) secrets/.test(line));
    expect(commands).toHaveLength(4);
    execFileSync('sh', ['-e', '-c', commands.join('\n')], { cwd: folder });
    const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    const config = readConfig(
      {
        ...NEEDED_VARIABLES,
        REDIS_URL_FILE: 'redis_url',
        STATE_KEY_FILE: 'state_key',
      },
      read,
    );
    expect(config.storage).toMatchObject({
      kind: 'redis',
      url: `redis://:${read('redis_password').trim()}@redis:6379`,
      stateKeys: [expect.any(Uint8Array)],
    });
    rmSync(folder, { recursive: true });
  });
});

const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g;

/** The anchors that GitHub gives the headings of a document. */
function anchorsIn(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('Every link between the documents leads to a file, and to a heading of it', () => {
  for (const file of [...DOCUMENTS, 'CHANGELOG.md']) {
    for (const [, target = '', anchor] of readFileSync(file, 'utf8').matchAll(LINK)) {
      const to = target === '' ? file : join(dirname(file), target);
      expect(() => statSync(to), `${file}: ${target}`).not.toThrow();
      if (anchor !== undefined) expect(anchorsIn(to), `${file}: ${target}`).toContain(anchor);
    }
  }
});

test.each([
  ['README.md', 900],
  ['CONTRIBUTING.md', 1_200],
  ['SECURITY.md', 700],
  ['CHANGELOG.md', 900],
  ['docs/use.md', 500],
  ['docs/operate.md', 2_000],
  ['docs/reference.md', 1_200],
  ['docs/troubleshoot.md', 1_500],
  ['docs/dependencies.md', 300],
])('%s has at most %i words', (file, most) => {
  expect(readFileSync(file, 'utf8').match(/\S+/g)?.length).toBeLessThanOrEqual(most);
});

test('docs/troubleshoot.md has a row for each fault that a user is told', () => {
  const rows = [...readFileSync('docs/troubleshoot.md', 'utf8').matchAll(/^\| `([\w-]+)` \| /gm)].map(
    ([, code]) => code,
  );
  for (const { code } of Object.values(EVERY_FAULT)) expect(rows).toContain(code);
});

test.each(['CONTRIBUTING.md', 'SECURITY.md'])('Every path that %s names is there', (file) => {
  const paths = readFileSync(file, 'utf8').matchAll(/`((?:src|test|docs|deploy)\/[\w./-]+)`/g);
  expect([...paths].map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
});

test('The changelog begins with what is to be done at the upgrade', () => {
  const [, entry = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  expect(entry).toMatch(/^\d+\.\d+\.\d+ \((?:unreleased|\d{4}-\d\d-\d\d)\)\n/);
  expect(entry).toMatch(/^### To do at the upgrade$/m);
});

test('The workflow runs what a developer runs', () => {
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'));
  expect(JSON.stringify(jobs)).toContain('.ci/run');
});
