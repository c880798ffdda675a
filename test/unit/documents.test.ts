import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config.ts';
import {
  configurationProblems,
  faultSections,
  metricsTable,
  settingsTable,
  startErrorSections,
} from '../support/generated-documents.ts';

// biome-ignore lint/style/noProcessEnv: whoever changed what the documents are made of writes them anew.
const UPDATE = process.env.UPDATE_DOCS === '1';

const PARTS: readonly (readonly [file: string, part: string, make: () => string | Promise<string>])[] = [
  ['docs/operate.md', 'settings', settingsTable],
  ['docs/operate.md', 'metrics', metricsTable],
  ['docs/troubleshoot.md', 'faults', faultSections],
  ['docs/troubleshoot.md', 'start-errors', startErrorSections],
  ['docs/troubleshoot.md', 'configuration', configurationProblems],
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

/** Each command in the documents: the test that runs it, or why none does. */
const COMMANDS: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/demo/main.test.ts, but for npm ci, which .ci/run runs',
  'docker build -t snapshot-bot .': 'not run: no container engine in the tests; the Dockerfile is linted',
  'docker run --env-file .env -v snapshot-bot:/app/data -p 3000:3000 snapshot-bot':
    'not run: no container engine in the tests',
  'docker run --name snapshot-bot --env-file .env --read-only --tmpfs /tmp --cap-drop=ALL --security-opt=no-new-privileges -v snapshot-bot:/app/data -p 3000:3000 snapshot-bot':
    'not run: no container engine in the tests',
  'docker compose up -d': 'not run: no container engine in the tests; compose.yaml is held to the schema',
  'npm run doctor': 'test/durability/doctor.test.ts',
  'npm run doctor -- --json': 'test/durability/doctor.test.ts',
  'npm run doctor -- --snapshot 26808463': 'test/durability/doctor.test.ts',
  'npm run forget -- --user U0123ABCD': 'test/durability/forget.test.ts',
  'npm run forget -- --snapshot 26808463': 'test/durability/forget.test.ts',
  'npm run forget -- --all': 'test/durability/forget.test.ts',
  'promtool test rules deploy/prometheus/alerts.test.yml': 'test/bot/monitoring.test.ts',
  'kubectl apply -k deploy/kustomize':
    'not run: no cluster; test/unit/deployment.test.ts renders and validates it',
  'helm install snapshot-bot deploy/helm --namespace snapshot-bot --values my-values.yaml':
    'not run: no cluster; test/unit/deployment.test.ts renders and validates it',
  'systemd-analyze security --offline=true deploy/systemd/snapshot-bot.service':
    'test/unit/deployment.test.ts',
  'mkdir -m 700 secrets': 'test/unit/documents.test.ts',
  'openssl rand -hex 24 > secrets/redis_password': 'test/unit/documents.test.ts',
  'printf \'redis://:%s@redis:6379\' "$(cat secrets/redis_password)" > secrets/redis_url':
    'test/unit/documents.test.ts',
  'openssl rand -base64 32 > secrets/state_key': 'test/unit/documents.test.ts',
};

const FENCE = /^ *```[a-z]*\n([\s\S]*?)\n *```$/gm;

function commandsIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(FENCE)]
    .flatMap(([, block = '']) => block.split('\n').map((line) => line.trim()))
    .filter((line) =>
      /^(?:npm|docker|kubectl|helm|promtool|systemd-analyze|openssl|mkdir|printf|curl) /.test(line),
    );
}

describe('the commands in the documents', () => {
  const found = ['README.md', 'docs/operate.md', 'docs/troubleshoot.md'].flatMap(commandsIn);

  test.each(found)('“%s” is run by a test, or has a reason', (command) => {
    const where = COMMANDS[command];
    expect(where, 'add it to the list in test/unit/documents.test.ts').toBeDefined();
    const [file = ''] = where?.split(',') ?? [];
    if (!file.startsWith('not run: ')) expect(statSync(file).isFile()).toBe(true);
  });

  test('are no more than the list has', () => {
    for (const command of Object.keys(COMMANDS)) expect(found).toContain(command);
  });

  test('that make the secrets for Compose make secrets that the bot takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-secrets-'));
    const commands = commandsIn('docs/operate.md').filter((line) => line.includes('secrets'));
    expect(commands).toHaveLength(4);
    execFileSync('sh', ['-e', '-c', commands.join('\n')], { cwd: folder });
    const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    const config = readConfig(
      {
        SLACK_BOT_TOKEN: 'xoxb-test',
        SLACK_SIGNING_SECRET: 'signing',
        DIAGNOSTICS_BASE_URL: 'https://api.example.com',
        DIAGNOSTICS_AUTH_URL: 'https://login.example.com',
        DIAGNOSTICS_LOGIN_URL: 'https://login.example.com',
        DIAGNOSTICS_VENDOR: 'acme',
        DIAGNOSTICS_USER_ID: 'bot',
        DIAGNOSTICS_USER_SECRET: 'secret',
        REDIS_URL_FILE: 'redis_url',
        STATE_KEY_FILE: 'state_key',
      },
      read,
    );
    expect(config.storage.redisUrl).toBe(`redis://:${read('redis_password').trim()}@redis:6379`);
    expect(config.storage.stateKeys).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});

test('Every link between the documents leads to a file', () => {
  for (const file of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')]) {
    const folder = file.includes('/') ? 'docs' : '.';
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      expect(() => statSync(join(folder, target)), `${file}: ${target}`).not.toThrow();
    }
  }
});

test('The changelog has the version of package.json, with upgrade notes', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const entry = text.split(/^## /m).find((section) => section.startsWith(packageFile.version));
  expect(entry).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)\n/);
  expect(entry).toMatch(/^### Upgrade notes$/m);
});

test('The workflow runs what a developer runs', () => {
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'));
  expect(JSON.stringify(jobs)).toContain('.ci/run');
});
