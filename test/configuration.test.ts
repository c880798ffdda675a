import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigProblems, readConfig } from '../src/config.ts';
import { environment, SECRETS } from '../src/environment.ts';

const GOOD: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-test',
  SLACK_SIGNING_SECRET: 'signing',
  DIAGNOSTICS_BASE_URL: 'https://api.example.com/',
  DIAGNOSTICS_AUTH_URL: 'https://login.example.com',
  DIAGNOSTICS_LOGIN_URL: 'https://login.example.com',
  DIAGNOSTICS_VENDOR: 'acme',
  DIAGNOSTICS_USER_ID: 'bot@example.com',
  DIAGNOSTICS_USER_SECRET: 'a secret',
};
const KEY = Buffer.alloc(32, 7).toString('base64');
const noFiles = (): string => {
  throw new Error('no such file');
};

function problemsOf(
  changes: Readonly<Record<string, string | undefined>>,
  readFile = noFiles,
): readonly string[] {
  try {
    readConfig({ ...GOOD, ...changes }, readFile);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  test('is complete with the variables that have no default', () => {
    const config = readConfig(GOOD, noFiles);
    expect(config.service.baseUrl).toBe('https://api.example.com');
    expect(config.waitLimitMs).toBe(3_600_000);
    expect(config.port).toBe(3_000);
    expect(config.slack.apiUrl).toBe('https://slack.com/api/');
  });

  test('reports everything that is missing at once, each with how to get it', () => {
    const nothing = Object.fromEntries(Object.keys(GOOD).map((name) => [name, undefined]));
    const problems = problemsOf(nothing);
    expect(problems).toHaveLength(Object.keys(GOOD).length);
    for (const name of Object.keys(GOOD)) {
      expect(problems.filter((line) => line.startsWith(`${name} is missing: `))).toHaveLength(1);
    }
  });

  test.each([
    ['DIAGNOSTICS_BASE_URL', 'http://api.example.com'],
    ['DIAGNOSTICS_AUTH_URL', 'http://localhost:8443'],
    ['DIAGNOSTICS_LOGIN_URL', 'ftp://login.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'https://user:word@api.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'api.example.com'],
    ['SLACK_API_URL', 'http://slack.example.com/api/'],
    ['SLACK_BOT_TOKEN', 'xapp-1-wrong-kind'],
    ['SLACK_APP_TOKEN', 'xoxb-wrong-kind'],
    ['DIAGNOSTICS_VENDOR', 'acme/../x'],
    ['PORT', 'many'],
    ['PORT', '70000'],
    ['WAIT_LIMIT_MINUTES', '-5'],
    ['WAIT_LIMIT_MINUTES', 'soon'],
    ['REDIS_URL', 'http://redis.example.com'],
    ['STATE_KEY', 'c2hvcnQ='],
    ['LOG_LEVEL', 'loud'],
    ['ALLOWED_CHANNELS', '#support'],
    ['ALLOWED_CHANNELS', 'C0SUPPORT,S0ONCALL'],
    ['ALLOWED_USERGROUPS', '@oncall'],
    ['ALLOWED_USERGROUPS', 'S0ONCALL C0SUPPORT'],
  ])('refuses %s=%s with one line that does not repeat the value', (name, value) => {
    const problems = problemsOf({ [name]: value, ...(name === 'REDIS_URL' ? { STATE_KEY: KEY } : {}) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `));
    expect(problems[0]).not.toContain(value);
  });

  test('takes http for Slack only on a loopback address, where its stand-ins are', () => {
    expect(problemsOf({ SLACK_API_URL: 'http://127.0.0.1:9000/api' })).toEqual([]);
  });

  test('takes who may use the bot as lists of ids; left out or empty, they restrict nothing', () => {
    const lists = { ALLOWED_CHANNELS: ' C0SUPPORT, G0WARROOM,', ALLOWED_USERGROUPS: 'S0ONCALL' };
    expect(readConfig({ ...GOOD, ...lists }, noFiles).access).toEqual({
      channels: ['C0SUPPORT', 'G0WARROOM'],
      userGroups: ['S0ONCALL'],
    });
    const open = { channels: [], userGroups: [] };
    expect(readConfig(GOOD, noFiles).access).toEqual(open);
    expect(readConfig({ ...GOOD, ALLOWED_CHANNELS: '', ALLOWED_USERGROUPS: ' ' }, noFiles).access).toEqual(
      open,
    );
  });

  test('needs no signing secret in Socket Mode', () => {
    const config = readConfig(
      { ...GOOD, SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xapp-1' },
      noFiles,
    );
    expect(config.slack.entrance.kind).toBe('socket');
  });

  test('needs a STATE_KEY beside a REDIS_URL', () => {
    expect(problemsOf({ REDIS_URL: 'redis://localhost' })[0]).toMatch(/^STATE_KEY is missing/);
    expect(problemsOf({ REDIS_URL: 'redis://localhost', STATE_KEY: `${KEY},${KEY}` })).toEqual([]);
  });

  test.each(SECRETS)('takes %s from the file that its _FILE variable names', (name) => {
    const value = name === 'STATE_KEY' ? KEY : name === 'REDIS_URL' ? 'redis://localhost' : 'from-a-file';
    const changes = {
      [name]: undefined,
      [`${name}_FILE`]: '/run/secrets/x',
      ...(name === 'REDIS_URL' ? { STATE_KEY: KEY } : {}),
    };
    const config = readConfig({ ...GOOD, ...changes }, () => `${value}\n`);
    expect(JSON.stringify([config.secrets, config.service.userId])).toContain(value);
  });

  test('names a secret file that can not be read, and a secret that is given twice', () => {
    expect(problemsOf({ SLACK_BOT_TOKEN: undefined, SLACK_BOT_TOKEN_FILE: '/nowhere' })).toContainEqual(
      expect.stringMatching(/^SLACK_BOT_TOKEN_FILE names a file/),
    );
    expect(problemsOf({ SLACK_BOT_TOKEN_FILE: '/x' }, () => 'xoxb-2')).toContainEqual(
      expect.stringMatching(/^SLACK_BOT_TOKEN and SLACK_BOT_TOKEN_FILE are both set/),
    );
  });
});

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n');
  const named = lines.flatMap((line) => /^#?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);
  /** The comment that stands above a variable, or above the ones right before it. */
  const commentAbove = (name: string) => {
    const isVariable = (line: string) => /^#?[A-Z_]+=/.test(line);
    const before = lines.slice(
      0,
      lines.findIndex((line) => line.replace('#', '').startsWith(`${name}=`)),
    );
    const end = before.findLastIndex((line) => !isVariable(line)) + 1;
    const start = before.slice(0, end).findLastIndex((line) => !line.startsWith('# ')) + 1;
    return before.slice(start, end).join(' ');
  };
  const NOT_OURS = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

  test('names every variable that the bot reads, once, and no other', () => {
    expect([...named].sort()).toEqual([...Object.keys(environment.shape), ...NOT_OURS].sort());
  });

  test('states the defaults that the bot has', () => {
    const stated = Object.fromEntries(
      lines
        .flatMap((line) => [/^#([A-Z_]+)=(.+)$/.exec(line)?.slice(1) ?? []])
        .filter((pair) => pair.length > 0),
    );
    const config = readConfig(GOOD, noFiles);
    expect(stated).toEqual({
      SLACK_API_URL: config.slack.apiUrl,
      PORT: String(config.port),
      DATA_DIR: './data',
      WAIT_LIMIT_MINUTES: String(config.waitLimitMs / 60_000),
      LOG_LEVEL: config.logLevel,
    });
  });

  test('marks exactly the secrets as readable from a file', () => {
    const marked = named.filter((name) => commentAbove(name).includes('(file'));
    expect(marked.sort()).toEqual([...SECRETS].sort());
  });
});

describe('npm start without configuration', () => {
  test('ends with every problem and the way to the demo, and no stack trace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-empty-'));
    const { code, stderr } = await run(resolve('src/main.ts'), folder);
    expect(code).toBe(2);
    for (const name of Object.keys(GOOD)) expect(stderr).toContain(`${name} is missing`);
    expect(stderr).toContain('npm run demo');
    expect(stderr).not.toContain('    at ');
  });
});

function run(script: string, cwd: string): Promise<{ code: number | null; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [script], { cwd, env: {} }, (_error, _stdout, stderr) =>
      done({ code: child.exitCode, stderr }),
    );
  });
}
