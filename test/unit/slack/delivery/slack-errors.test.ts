import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import {
  codeOf,
  isOfSlack,
  isRefused,
  isRefusedHere,
  type Meaning,
  meaningOf,
  ResponseUrlFailed,
} from '../../../../src/slack/delivery/slack-errors.ts';

function platformError(code: string): Error {
  return new webApi.WebAPIPlatformError({ ok: false, error: code });
}

const KNOWN: Record<Meaning, readonly string[]> = {
  'not-here': [
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'restricted_action_read_only_channel',
    'team_access_not_granted',
    'restricted_action',
    'is_inactive',
    'thread_not_found',
    'whatever_comes_next',
  ],
  'not-the-bot': [
    ...['account_inactive', 'ekm_access_denied', 'invalid_auth', 'missing_scope', 'no_permission'],
    ...['not_allowed_token_type', 'not_authed', 'token_expired', 'token_revoked'],
  ],
  uneditable: ['message_not_found', 'cant_update_message', 'edit_window_closed', 'msg_too_old'],
  'bad-blocks': ['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments', 'msg_blocks_too_long'],
  'too-long': ['msg_too_long'],
  later: [
    'ratelimited',
    'rate_limited',
    'message_limit_exceeded',
    'accesslimited',
    'external_channel_migrating',
    'team_added_to_org',
    'org_login_required',
  ],
  unsure: ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'],
};
const CODES = Object.entries(KNOWN).flatMap(([meaning, codes]) =>
  codes.map((code) => [code, meaning] as const),
);

test.each(CODES)('%s means %s', (code, meaning) => {
  expect(meaningOf(platformError(code))).toBe(meaning);
  expect(codeOf(platformError(code))).toBe(code);
  expect(isRefused(platformError(code))).toBe(!['later', 'unsure'].includes(meaning));
  expect(isRefusedHere(platformError(code))).toBe(!['later', 'unsure', 'not-the-bot'].includes(meaning));
});

test('a 429 is for later', () => {
  expect(meaningOf(new webApi.WebAPIRateLimitedError(7))).toBe('later');
});

test.each([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])('a request that never reached Slack (%s) is for later, however deep the cause lies', (code) => {
  const cause = Object.assign(new Error('fetch failed'), { code });
  const wrapped = new TypeError('fetch failed', { cause: new Error('socket', { cause }) });
  expect(meaningOf(new webApi.WebAPIRequestError(wrapped))).toBe('later');
});

test.each([
  new webApi.WebAPIRequestError(Object.assign(new Error('read'), { code: 'ECONNRESET' })),
  new webApi.WebAPIHTTPError(500, '', {}),
  new Error('anything else'),
  'no error at all',
])('after any other error it is unknown whether Slack did it: %s', (error) => {
  expect(meaningOf(error)).toBe('unsure');
  expect(codeOf(error)).toBeUndefined();
});

test('an error that is its own cause is read to an end', () => {
  const error = new Error('fetch failed');
  error.cause = error;
  expect(meaningOf(new webApi.WebAPIRequestError(error))).toBe('unsure');
});

test.each([
  platformError('is_archived'),
  new webApi.WebAPIRateLimitedError(7),
  new webApi.WebAPIRequestError(new Error('read')),
  new webApi.WebAPIHTTPError(500, '', {}),
  new ResponseUrlFailed(),
])('is an error of Slack: %s', (error) => {
  expect(isOfSlack(error)).toBe(true);
});

test.each([new Error('anything else'), new TypeError('a bug'), 'no error at all'])(
  'is no error of Slack: %s',
  (error) => {
    expect(isOfSlack(error)).toBe(false);
  },
);
