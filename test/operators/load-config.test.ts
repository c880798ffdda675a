import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigProblems, loadConfig } from '../../src/config/config.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

let home: string;
let folder: string;
beforeEach(() => {
  home = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-env-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

test('A variable of the environment takes precedence over .env, which gives the others', () => {
  writeFileSync('.env', 'PORT=4000\nOPS_PORT=4001\nLOG_LEVEL=debug\n');
  const { config } = loadConfig({ ...NEEDED_VARIABLES, PORT: '5000', DATA_DIR: '' });
  expect([config.port, config.opsPort, config.logLevel]).toEqual([5_000, 4_001, 'debug']);
});

test('All that stands behind the = of a line of .env is the value, as docker run --env-file reads it', () => {
  const lines = [
    '# CONTACT=nobody',
    'CONTACT=#bot-help',
    '  OPS_PORT=4001\r',
    'DIAGNOSTICS_USER_SECRET=pa#ss "word" $HOME \\n=',
    'AUDIT_FILE=',
    ' \t',
  ];
  writeFileSync('.env', lines.join('\n'));
  const { DIAGNOSTICS_USER_SECRET: _, ...others } = NEEDED_VARIABLES;
  const { config } = loadConfig(others);
  expect([config.contact, config.opsPort, config.auditFile]).toEqual(['#bot-help', 4_001, undefined]);
  expect(config.service.userSecret).toBe('pa#ss "word" $HOME \\n=');
});

test('A line of .env that is neither a setting nor a comment is a problem that does not show the line', () => {
  const lines = [
    '# tokens',
    '',
    'export ALLOWED_CHANNELS=C0SUPPORT',
    'PORT=4000\r',
    'ADMINS = U0ANA',
    'LOG_LEVEL: hunter2',
  ];
  writeFileSync('.env', lines.join('\n'));
  const said =
    '.env has no setting in line 3,5,6: write NAME=value, without export and without spaces around the =';
  expect(() => loadConfig(NEEDED_VARIABLES)).toThrow(expect.objectContaining({ problems: [said] }));
});

test('A secret is read from the file that its variable names, in the environment or in .env', () => {
  writeFileSync('token', 'xoxb-from-file\n');
  const { SLACK_BOT_TOKEN: _, ...others } = NEEDED_VARIABLES;
  const named = loadConfig({ ...others, SLACK_BOT_TOKEN_FILE: 'token' });
  expect(named.config.slack.botToken).toBe('xoxb-from-file');
  writeFileSync('.env', 'SLACK_BOT_TOKEN_FILE=token\n');
  expect(loadConfig(others).config.slack.botToken).toBe('xoxb-from-file');
});

test('A misspelled setting, and a CA file that only .env names, are warnings', () => {
  writeFileSync('.env', 'ALOWED_CHANNELS=C0SUPPORT\nNODE_EXTRA_CA_CERTS=/ca.pem\nCOMPOSE_PROJECT_NAME=bot\n');
  // Known names, names of other programs, and a name that is too short to be a typing error.
  const silent = {
    HTTP_PROXY: '',
    HTTPS_PROXY: '',
    NO_PROXY: '',
    LOG: 'x',
    REDIS_SERVICE_HOST: 'x',
    REDIS_PORT: 'x',
    REDIS_MASTER_SERVICE_HOST: 'x',
    REDIS_MASTER_SERVICE_PORT_TCP_REDIS: 'x',
    REDIS_MASTER_PORT: 'x',
    SLACK_GATEWAY_PORT_6379_TCP_ADDR: 'x',
    STATE_KEY_FILE: '',
    http_proxy: '',
  };
  const misspelled = { STAET_KEY_FILE: '', ADMIN: 'U0ANA', PORTS: '1' };
  const { warnings } = loadConfig({ ...NEEDED_VARIABLES, ...silent, ...misspelled });
  expect(warnings).toEqual([
    'ALOWED_CHANNELS is no setting: is ALLOWED_CHANNELS meant?',
    'STAET_KEY_FILE is no setting: is STATE_KEY_FILE meant?',
    'ADMIN is no setting: is ADMINS meant?',
    'PORTS is no setting: is PORT meant?',
    'NODE_EXTRA_CA_CERTS is in .env, where Node does not read it: set it in the environment',
  ]);
  const given = loadConfig({ ...NEEDED_VARIABLES, NODE_EXTRA_CA_CERTS: '/ca.pem' });
  expect(given.warnings).toEqual(['ALOWED_CHANNELS is no setting: is ALLOWED_CHANNELS meant?']);
});

test('A misspelled setting is listed with the other problems, because it explains one that is missing', () => {
  const { DIAGNOSTICS_USER_SECRET, ...others } = NEEDED_VARIABLES;
  const problems = [
    expect.stringMatching(/^DIAGNOSTICS_USER_SECRET is missing: /),
    'DIAGNOSTIC_USER_SECRET is no setting: is DIAGNOSTICS_USER_SECRET meant?',
  ];
  const load = () => loadConfig({ ...others, DIAGNOSTIC_USER_SECRET: DIAGNOSTICS_USER_SECRET });
  expect(load).toThrow(expect.objectContaining({ problems }));
});

test('An unknown name with a prefix of the bot’s settings is a problem', () => {
  for (const [name, said] of [
    ['ALLOWED_CHANEL', 'is ALLOWED_CHANNELS meant?'],
    ['SLACK_TOKEN_OF_BOT', 'remove it; .env.example lists all settings'],
    ['REDIS_HOST', 'remove it'],
    ['DIAGNOSTICS_BASEURL', 'is DIAGNOSTICS_BASE_URL meant?'],
    ['STATE_KEYS', 'is STATE_KEY meant?'],
  ] as const)
    expect(() => loadConfig({ ...NEEDED_VARIABLES, [name]: 'x' })).toThrow(`${name} is no setting: ${said}`);
});

test('A .env that is no file is a problem of the configuration', () => {
  mkdirSync('.env');
  expect(() => loadConfig(NEEDED_VARIABLES)).toThrow(ConfigProblems);
  expect(() => loadConfig(NEEDED_VARIABLES)).toThrow(".env can't be read (EISDIR): check that it is a file");
});

test('All problems are reported, with where settings stand and the way to the demo', () => {
  expect(new ConfigProblems(['one', 'two']).message).toMatch(
    /^the configuration has 2 problems:\n {2}one\n {2}two\n\n.*\.env\.example[\s\S]+npm ci --include=dev && npm run demo$/,
  );
  expect(new ConfigProblems(['one']).message).toMatch(/^the configuration has a problem:\n {2}one\n/);
});
