import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { redactionOf } from '../../src/ops/logging.ts';
import { NEEDED_VARIABLES } from '../support/needed-variables.ts';

const hide = redactionOf([]);

test.each([
  ['a token of a bot', 'sent xoxb-12-ab by', 'sent [hidden] by'],
  ['a rotated token', 'xoxe.xoxp-1-Mi0y', '[hidden]'],
  ['a token of an app', 'xapp-1-A0-2-b', '[hidden]'],
  ['a reply', 'to https://hooks.slack.com/commands/T1/2/x now', 'to https://hooks.slack.com[hidden] now'],
  [
    'a one-off address in a frame of Socket Mode',
    String.raw`{"msg":"got {\"response_url\":\"https:\\/\\/hooks.slack.com\\/commands\\/T1\\/2\\/x\"}"}`,
    String.raw`{"msg":"got {\"response_url\":\"[hidden]\"}"}`,
  ],
  [
    'the same without its name',
    String.raw`{"msg":"see https:\\/\\/hooks.slack.com\\/commands\\/T1\\/2\\/x\" now"}`,
    String.raw`{"msg":"see https:\\/\\/hooks.slack.com[hidden]\" now"}`,
  ],
  ['that of a socket', 'wss://x.example/?ticket=abc&app_id=1', 'wss://x.example/?ticket=[hidden]&app_id=1'],
  ['a session', 'cookie: ssosession=!ab+/=c; x=1', 'cookie: ssosession=[hidden]; x=1'],
  ['a header with a session', '{"set-cookie":["ssosession=abc; Path=/"]}', '{"set-cookie":["[hidden]"]}'],
  ['a password of Redis', 'redis://:sesame@redis.example:6379', 'redis://[hidden]@redis.example:6379'],
  ['a user of a proxy', 'http://user:p:w@proxy.example/x', 'http://[hidden]@proxy.example/x'],
  ['a token by its name', '{"token":"verification"}', '{"token":"[hidden]"}'],
  ['the same, further behind', 'wss://x.example/?a=1&ticket=abc', 'wss://x.example/?a=1&ticket=[hidden]'],
  [
    'an upload',
    'to https://files.slack.com/upload/v1/abc now',
    'to https://files.slack.com/upload[hidden] now',
  ],
  ['that address by its name', '{"upload_url":"https://x.example/1"}', '{"upload_url":"[hidden]"}'],
  ['the password of the login by its name', '{"user_secret":"sesame"}', '{"user_secret":"[hidden]"}'],
  ['a header whatever its case', '{"Authorization":"Bearer sesame"}', '{"Authorization":"[hidden]"}'],
  ['a list of cookies', '{"cookie":["a=b"]}', '{"cookie":["[hidden]"]}'],
  ['other cookies of it', 'userinfo=ab; sso_completed=cd, x', 'userinfo=[hidden]; sso_completed=[hidden], x'],
])('The log hides %s', (_what, line, expected) => {
  expect(hide(line)).toBe(expected);
});

test.each([
  ['an address without credentials', 'https://slack.com/api/auth.test said @here'],
  ['a mail address', 'ana@example.com wrote'],
  ['an empty value', '{"token":"","a":1}'],
  ['a word of a name', '{"tokens":"two","my_token":"three"}'],
])('The log leaves %s as it is', (_what, line) => {
  expect(hide(line)).toBe(line);
});

test.each(['s3cr', 'short-secret', 'with,two,commas', 'quo"te \\ & space', 'ünïcode/pass+word'])(
  'The log hides the secret %s in every encoding',
  (secret) => {
    const inJson = JSON.stringify(secret);
    const line = [
      secret,
      inJson,
      JSON.stringify(inJson),
      encodeURIComponent(secret),
      new URLSearchParams({ secret }).toString(),
      Buffer.from(secret).toString('base64'),
    ].join(' | ');
    const hidden = redactionOf([secret])(line);
    expect(hidden).not.toContain(secret);
    expect(hidden.match(/\[hidden\]/g)?.length).toBeGreaterThanOrEqual(5);
    expect(hidden).not.toContain(Buffer.from(secret).toString('base64').replaceAll('=', ''));
  },
);

test('Two secrets are hidden completely even if one contains the other', () => {
  expect(redactionOf(['pass', 'password1'])('a password1 b pass c')).toBe('a [hidden] b [hidden] c');
});

const VARIABLES = {
  ...NEEDED_VARIABLES,
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing-short',
  DIAGNOSTICS_USER_SECRET: 'one,two,three',
  REDIS_URL: 'rediss://default:pass%20word@redis.example',
  HTTPS_PROXY: 'http://me:proxypass@proxy.example',
};
const KEYS = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'));

test('The log hides every secret of the configuration: each key of a list, and a whole password', () => {
  const { secrets } = readConfig({ ...VARIABLES, STATE_KEY: KEYS.join(', ') }, () => '');
  const expected = ['xoxb-1', 'signing-short', 'one,two,three', 'pass word', 'proxypass', ...KEYS];
  expect(secrets).toEqual(expect.arrayContaining(expected));
  expect(secrets).not.toContain('one');
  expect(secrets).not.toContain('');
  expect(secrets).not.toContain(NEEDED_VARIABLES.DIAGNOSTICS_USER_ID);
});

test('The log hides the password of the Redis, also in the form in which a URL writes it', () => {
  const REDIS_URL = 'rediss://me:pa%2Fss@one:6379/2';
  const { secrets } = readConfig({ ...VARIABLES, REDIS_URL, STATE_KEY: KEYS.join() }, () => '');
  expect(secrets).toEqual(expect.arrayContaining(['pa/ss', 'pa%2Fss']));
});

test('A text of fewer than four characters is no secret: it stands in harmless places too', () => {
  expect(redactionOf(['abc', 'a'])('abc and a')).toBe('abc and a');
});
