import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigProblems, readConfig } from '../../src/config/config.ts';
import { SECRETS, SETTINGS, VARIABLES } from '../../src/config/settings.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

/** The slash at the end of the base URL is dropped by the configuration. */
const GOOD = { ...NEEDED_VARIABLES, DIAGNOSTICS_BASE_URL: 'https://api.example.com/' };
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
  test('refuses an OPS_PORT that is PORT, unless both are 0 or Slack needs none', () => {
    const same = { PORT: '4000', OPS_PORT: '4000' };
    expect(problemsOf(same)).toEqual([expect.stringMatching(/^OPS_PORT is the same as PORT: \w/)]);
    expect(problemsOf({ OPS_PORT: '3000' })).toHaveLength(1);
    expect(problemsOf({ ...same, SLACK_APP_TOKEN: 'xapp-1' })).toEqual([]);
    expect(problemsOf({ PORT: '0', OPS_PORT: '0' })).toEqual([]);
  });

  test.each(['proxy.example.com:3128', 'me:hunter2@proxy:3128', '//me:hunter2@proxy:3128', 'ftp://proxy'])(
    'takes no proxy without its scheme, and does not repeat it: %s',
    (address) => {
      const [problem, ...others] = problemsOf({ HTTPS_PROXY: address });
      expect(problem).toMatch(/^HTTPS_PROXY is not the address of a proxy: /);
      expect(problem).not.toContain('hunter2');
      expect(others).toEqual([]);
      expect(problemsOf({ HTTP_PROXY: address })).toEqual([
        expect.stringMatching(/^HTTP_PROXY is not the address/),
      ]);
      for (const good of ['', 'http://proxy:3128', 'https://proxy', 'socks://proxy', 'socks5://proxy'])
        expect(problemsOf({ HTTPS_PROXY: address, https_proxy: good })).toEqual([]);
    },
  );

  test('reports everything that is missing at once, each with how to get it', () => {
    const nothing = Object.fromEntries(Object.keys(GOOD).map((name) => [name, undefined]));
    const problems = problemsOf(nothing);
    expect(problems).toHaveLength(Object.keys(GOOD).length);
    for (const name of Object.keys(GOOD)) {
      expect(problems.filter((line) => line.startsWith(`${name} is missing: `))).toHaveLength(1);
    }
  });

  test.each([
    ['SLACK_BOT_TOKEN', '"xoxb-right"', /^SLACK_BOT_TOKEN is in quotes: .* SLACK_BOT_TOKEN_FILE$/],
    ['DIAGNOSTICS_VENDOR', "'acme'", /^DIAGNOSTICS_VENDOR is in quotes: write it without them$/],
    ['DIAGNOSTICS_VENDOR', '`acme`', /^DIAGNOSTICS_VENDOR is in quotes: write it without them$/],
    ['LOG_LEVEL', 'info # or debug', /^LOG_LEVEL holds a comment: put that on a line of its own$/],
    ['CONTACT', 'the team # ask for Ana', /^CONTACT holds a comment: put that on a line of its own$/],
    [
      'DIAGNOSTICS_USER_SECRET',
      'pa # ss',
      /^DIAGNOSTICS_USER_SECRET holds a comment: .* in DIAGNOSTICS_USER_SECRET_FILE$/,
    ],
    [
      'DIAGNOSTICS_BASE_URL',
      'https://a.example/snapshot-analyzer/api/',
      /_BASE_URL must end before \/snapshot-analyzer:/,
    ],
    [
      'DIAGNOSTICS_AUTH_URL',
      'https://a.example/auth/pub/sso/login',
      /_AUTH_URL must end before \/auth\/pub:/,
    ],
  ])('reports %s = %s as one problem, and as no other', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(problem)]);
  });

  test('takes quotes and a # that belong to a value, and whatever a file holds', () => {
    for (const value of ['pa"ss"', '"', 'the "team" in #bot-help', '#bot-help'])
      expect(problemsOf({ CONTACT: value, DIAGNOSTICS_USER_SECRET: value })).toEqual([]);
    const fromFile = { DIAGNOSTICS_USER_SECRET: undefined, DIAGNOSTICS_USER_SECRET_FILE: 'secret' };
    for (const value of ['"quoted"', 'pa # ss']) expect(problemsOf(fromFile, () => value)).toEqual([]);
  });

  test.each([
    ['DIAGNOSTICS_BASE_URL', 'http://api.example.com'],
    ['DIAGNOSTICS_AUTH_URL', 'http://localhost:8443'],
    ['DIAGNOSTICS_LOGIN_URL', 'ftp://login.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'https://user:word@api.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'api.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'https://:word@api.example.com'],
    ['DIAGNOSTICS_BASE_URL', 'https://api.exam\nple.com'],
    ['DIAGNOSTICS_BASE_URL', 'https:\\\\api.example.com'],
    ['DIAGNOSTICS_AUTH_URL', 'https://login.example.com/?next=x'],
    ['DIAGNOSTICS_AUTH_URL', 'https://login.example.com/#x'],
    ['DIAGNOSTICS_LOGIN_URL', 'https://login.example.com/a b'],
    ['DIAGNOSTICS_LOGIN_URL', 'https://login.example.com/"'],
    ['SLACK_API_URL', 'http://slack.example.com/api/'],
    ['SLACK_API_URL', 'https://token@slack.com/api/'],
    ['SLACK_API_URL', 'https://slack.com/\tapi/'],
    ['REDIS_URL', 'redis://redis.exam\nple.com'],
    ['REDIS_URL', 'redis://:pass word@redis.example.com'],
    ['ALLOW_SHARED_CHANNELS', '2'],
    ['SLACK_APP_TOKEN', 'xoxb-wrong-kind'],
    ['DIAGNOSTICS_VENDOR', 'acme/../x'],
    ['REDIS_URL', 'http://redis.example.com'],
    ['REDIS_URL', 'redis://redis.example.com/snapshot-bot'],
    ['REDIS_URL', 'redis-sentinel://redis.example.com:26379'],
    ['REDIS_URL', 'rediss+cluster://redis.example.com,:6379'],
    ['ALLOWED_CHANNELS', '#support'],
    ['ALLOWED_USERGROUPS', '@oncall'],
    ['ALLOWED_APPS', 'B0INTAKE'],
    ['ALLOWED_USERGROUPS', 'S0ONCALL C0SUPPORT'],
  ])('refuses %s=%s with one line that does not repeat the value', (name, value) => {
    const problems = problemsOf({ [name]: value, ...(name === 'REDIS_URL' ? { STATE_KEY: KEY } : {}) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `));
    expect(problems[0]).not.toContain(value);
  });

  test('does not let the bot start where certificates are not verified', () => {
    expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is 0.*NODE_EXTRA_CA_CERTS/),
    ]);
    expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });

  test.each(['ALLOWED_CHANNELS', 'ALLOWED_USERGROUPS', 'ALLOWED_APPS'])(
    'refuses a list %s that is set and holds nothing',
    (name) => {
      for (const value of [',', ' , ,', ';']) expect(problemsOf({ [name]: value })).toHaveLength(1);
    },
  );

  test('takes who may use the bot as lists of ids; left out or empty, they restrict nothing', () => {
    const lists = { ALLOWED_CHANNELS: ' C0SUPPORT, G0WARROOM,', ALLOWED_USERGROUPS: 'S0ONCALL' };
    expect(readConfig({ ...GOOD, ...lists }, noFiles).access).toEqual({
      channels: ['C0SUPPORT', 'G0WARROOM'],
      userGroups: ['S0ONCALL'],
      apps: [],
      guests: false,
      sharedChannels: false,
    });
    const open = { channels: [], userGroups: [], apps: [], guests: false, sharedChannels: false };
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
    expect(config.slack.transport.kind).toBe('socket');
  });

  test('needs a STATE_KEY beside a REDIS_URL', () => {
    expect(problemsOf({ REDIS_URL: 'redis://localhost' })[0]).toMatch(/^STATE_KEY is missing/);
    for (const address of ['redis://localhost', 'redis://me:x%2Fy@h:1/', 'rediss://:x@h:1/0?ssl=true'])
      expect(problemsOf({ REDIS_URL: address, STATE_KEY: `${KEY},${KEY}` })).toEqual([]);
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

  test('names a secret file that can not be read, and nothing else', () => {
    expect(problemsOf({ SLACK_BOT_TOKEN: undefined, SLACK_BOT_TOKEN_FILE: '/nowhere' })).toEqual([
      expect.stringMatching(/^SLACK_BOT_TOKEN_FILE names a file .*: check the path/),
    ]);
  });

  test('takes no secret that is given both as a value and as a file', () => {
    expect(problemsOf({ SLACK_BOT_TOKEN_FILE: '/x' }, () => 'xoxb-2')).toEqual([
      expect.stringMatching(/^SLACK_BOT_TOKEN and SLACK_BOT_TOKEN_FILE are both set: keep one/),
    ]);
  });
});

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n');
  const named = lines.flatMap((line) => /^#?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);
  /** The comment above a variable, or above the group of variables that it is in. */
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
  const NOT_OURS = ['NODE_EXTRA_CA_CERTS'];

  test('names every variable that the bot reads, once, and no other', () => {
    expect([...named].sort()).toEqual([...VARIABLES, ...NOT_OURS].sort());
  });

  test('states every default of the bot, as the bot has it', () => {
    const stated = Object.fromEntries(
      lines.flatMap((line) => {
        const [, name, value] = /^#([A-Z_]+)=(.+)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value]];
      }),
    );
    const withDefault = VARIABLES.filter(
      (name) => String(SETTINGS.shape[name].safeParse(undefined).data ?? '') !== '',
    );
    expect(Object.keys(stated).sort()).toEqual([...withDefault].sort());
    expect(readConfig({ ...GOOD, ...stated }, noFiles)).toEqual(readConfig(GOOD, noFiles));
  });

  test('leaves open what has to be filled in, and nothing else', () => {
    const open = lines.flatMap((line) => /^([A-Z][A-Z_]+)=$/.exec(line)?.[1] ?? []);
    const inSocketMode = Object.keys(GOOD).map((name) => name.replace('SIGNING_SECRET', 'APP_TOKEN'));
    expect(open.sort()).toEqual(inSocketMode.sort());
    expect(lines.filter((line) => /^[A-Z_]+=./.test(line))).toEqual([]);
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
    expect(stderr).toContain('npm ci --include=dev && npm run demo');
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
