import { describe, expect, test } from 'vitest';
import { type Config, ConfigProblems, readConfig } from '../../src/config/config.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

type Variables = Readonly<Record<string, string>>;

const KEYS = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
const noFile = (): string => {
  throw new Error('no such file');
};

function configOf(changes: Variables, readFile = noFile): Config {
  return readConfig({ ...NEEDED_VARIABLES, ...changes }, readFile);
}

/** The setting that the configuration refuses; undefined if it refuses none. */
function refused(changes: Variables): string | undefined {
  try {
    configOf(changes);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return error.problems.map((problem) => problem.split(' ')[0]).join();
  }
}

describe('A setting', () => {
  test.each([
    ['WAIT_LIMIT_MINUTES', '1440', '1441'],
    ['RESULT_MINUTES', '1440', '1441'],
    ['HISTORY_DAYS', '365', '366'],
    ['WAIT_LIMIT_MINUTES', '0.5', '0'],
    ['RESULT_MINUTES', '0.5', '0'],
    ['HISTORY_DAYS', '0.5', '0'],
    ['COMMANDS_PER_MINUTE', '0.5', '0'],
    ['SERVICE_CONCURRENCY', '1', '0'],
    ['SERVICE_CONCURRENCY', '1000', '1001'],
    ['SERVICE_CONCURRENCY', '2', '1.5'],
    ['PORT', '65535', '65536'],
    ['PORT', '0', '-1'],
    ['PORT', '3000', '3000.5'],
    ['OPS_PORT', '65535', '65536'],
    ['CONTACT', 'x'.repeat(80), 'x'.repeat(81)],
    ['CONTACT', '#bot-help', '<#C0HELP>'],
    ['CONTACT', 'Ana & Ben', 'Ana\nBen'],
    ['ADMINS', 'U0ANA,W0BEN', 'U0ANA,B0BOT'],
    ['ADMINS', 'U0A', 'U0'],
    ['ADMINS', `U${'A'.repeat(20)}`, `U${'A'.repeat(21)}`],
    ['ALLOWED_CHANNELS', 'C0SUPPORT,G0PRIVATE,D0DIRECT', 'C0SUPPORT,U0ANA'],
    ['ALLOWED_CHANNELS', 'C0SUPP', 'C0SUP'],
    ['ALLOWED_USERGROUPS', 'S0ONCA', 'S0ONC'],
    ['DIAGNOSTICS_VENDOR', 'v'.repeat(60), 'v'.repeat(61)],
    ['DIAGNOSTICS_VENDOR', 'a.b+c-d_1', 'a b'],
    ['SLACK_BOT_TOKEN', 'xoxb-1', 'xoxp-1'],
    ['SLACK_BOT_TOKEN', 'xoxe.xoxb-1', 'xapp-1'],
    ['SLACK_BOT_TOKEN', 'xoxb-1', 'xoxb-1…'],
    ['SLACK_APP_TOKEN', 'xapp-1', 'xoxp-1'],
    ['SLACK_APP_TOKEN', 'xapp-1', 'xapp-1\nxapp-2'],
    ['SLACK_API_URL', 'http://127.9.9.9:1/api/', 'http://127.0.0.1.example.com/api/'],
    ['SLACK_API_URL', 'http://localhost:1', 'http://localhost.example.com'],
    ['SLACK_API_URL', 'http://localhost:1/api/', 'http://localhost.example.com/api/'],
    ['SLACK_API_URL', 'http://[::1]:1/api/', 'http://[::2]:1/api/'],
    ['ALLOW_GUESTS', 'true', 'TRUE'],
    ...['trace', 'debug', 'warn', 'error', 'fatal', 'silent'].map((level) => ['LOG_LEVEL', level, 'verbose']),
    ['UNFURL', 'no', 'nope'],
    ['LOG_FORMAT', 'pretty', 'text'],
    ['STATE_KEY', KEYS.join(), `${KEYS[0]},short`],
  ])('%s may be %s, and not %s', (name, good, bad) => {
    expect([refused({ [name]: good }), refused({ [name]: bad })]).toEqual([undefined, name]);
  });

  test('with a unit is what it says in milliseconds', () => {
    const { waitLimitMs, retention } = configOf({
      ...{ WAIT_LIMIT_MINUTES: '2', RESULT_MINUTES: '3', HISTORY_DAYS: '4' },
    });
    expect([waitLimitMs, retention]).toEqual([
      120_000,
      { resultMs: 180_000, historyMs: 4 * 24 * 60 * 60 * 1_000 },
    ]);
  });

  test('of yes or no has the value that was set', () => {
    for (const word of ['yes', 'true']) {
      expect(configOf({ ALLOW_GUESTS: word }).access).toMatchObject({ guests: true, sharedChannels: false });
      expect(configOf({ ALLOW_SHARED_CHANNELS: word }).access).toMatchObject({
        guests: false,
        sharedChannels: true,
      });
    }
    for (const word of ['no', 'false']) expect(configOf({ ALLOW_GUESTS: word }).access.guests).toBe(false);
  });

  test('that names an address is used with one slash at the end, or without one', () => {
    for (const address of ['https://slack.example.com/api', 'https://slack.example.com/api/'])
      expect(configOf({ SLACK_API_URL: address }).slack.apiUrl).toBe('https://slack.example.com/api/');
    expect(configOf({ DIAGNOSTICS_BASE_URL: 'https://api.example.com/v1//' }).service.baseUrl).toBe(
      'https://api.example.com/v1',
    );
  });

  test('that is empty, or holds only blanks, counts as not set', () => {
    const empty = { PORT: '', OPS_PORT: ' ', CONTACT: '', SLACK_APP_TOKEN: ' ', REDIS_URL: '' };
    expect(configOf(empty)).toEqual(configOf({}));
    expect(configOf({ SLACK_BOT_TOKEN_FILE: '' }).slack.botToken).toBe(NEEDED_VARIABLES.SLACK_BOT_TOKEN);
  });
});

describe('A file that names a value', () => {
  test('is read for secrets only', () => {
    expect(configOf({ LOG_LEVEL_FILE: '/nowhere', PORT_FILE: '/nowhere' }).logLevel).toBe('info');
  });

  test('may end with a line break, which is no part of the secret, nor of what the log hides', () => {
    const { SLACK_BOT_TOKEN: _, ...others } = NEEDED_VARIABLES;
    const read = (path: string) => (path === '/run/token' ? ' xoxb-from-file\r\n' : noFile());
    const { slack, secrets } = readConfig({ ...others, SLACK_BOT_TOKEN_FILE: '/run/token' }, read);
    expect(slack.botToken).toBe('xoxb-from-file');
    expect(secrets).toContain('xoxb-from-file');
  });
});

test('A proxy is taken from the lower-case variable first, as other programs do', () => {
  const upper = { HTTP_PROXY: 'http://one', HTTPS_PROXY: 'http://two', NO_PROXY: 'three' };
  expect(configOf(upper).proxies).toEqual({
    httpProxy: 'http://one',
    httpsProxy: 'http://two',
    noProxy: 'three',
  });
  const lower = { http_proxy: 'http://a', https_proxy: 'http://b', no_proxy: 'c' };
  expect(configOf({ ...upper, ...lower }).proxies).toEqual({
    ...{ httpProxy: 'http://a', httpsProxy: 'http://b', noProxy: 'c' },
  });
  const none = { http_proxy: '', https_proxy: '', no_proxy: '' };
  expect(configOf({ ...upper, ...none }).proxies).toEqual(configOf({}).proxies);
});

test('The log hides the password of each proxy, also in the form in which a URL writes it', () => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const { secrets } = configOf({ [name]: 'http://me:se%20same@proxy.example' });
    expect(secrets).toEqual(expect.arrayContaining(['se%20same', 'se same']));
  }
  expect(() => configOf({ HTTPS_PROXY: 'http://me:100%@proxy.example' })).not.toThrow();
});

test('Without DIAGNOSTICS_LOGIN_URL the login page is that of the login servers', () => {
  expect(configOf({}).service.loginUrl).toBe(NEEDED_VARIABLES.DIAGNOSTICS_AUTH_URL);
  expect(configOf({ DIAGNOSTICS_LOGIN_URL: 'https://sign-in.example.com/' }).service.loginUrl).toBe(
    'https://sign-in.example.com',
  );
});

test('An app token means Socket Mode, also beside a signing secret', () => {
  expect(configOf({ SLACK_APP_TOKEN: 'xapp-1' }).slack.transport).toEqual({
    ...{ kind: 'socket', appToken: 'xapp-1' },
  });
  expect(configOf({}).slack.transport).toEqual({
    ...{ kind: 'http', signingSecret: NEEDED_VARIABLES.SLACK_SIGNING_SECRET },
  });
});

test('STATE_KEY may list several keys, for a file and for Redis, and DATA_DIR becomes an absolute path', () => {
  const STATE_KEY = KEYS.join(', ');
  const { storage } = configOf({ STATE_KEY, DATA_DIR: 'somewhere' });
  expect(storage).toMatchObject({ kind: 'sqlite', dataDir: `${process.cwd()}/somewhere` });
  expect(storage.stateKeys).toHaveLength(2);
  const shared = configOf({ STATE_KEY, REDIS_URL: 'redis://localhost' }).storage;
  expect(shared).toMatchObject({ kind: 'redis', url: 'redis://localhost' });
  expect(shared.stateKeys).toHaveLength(2);
});
