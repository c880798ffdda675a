import { describe, expect, test } from 'vitest';
import { charsetOf, decodeBody, outcomeOf } from '../../../src/service/answers.ts';
import { unreachableReason } from '../../../src/service/connections.ts';
import { trustedUntil } from '../../../src/service/login.ts';
import { LONGEST_TRUST_MS, type ServiceSettings } from '../../../src/service/shared-state.ts';
import { processingReason } from '../../../src/service/text.ts';

const NOW = Date.UTC(2026, 10, 20);
const HOUR = 3_600_000;

describe('When a session ends', () => {
  test.each([
    [NOW + HOUR, NOW + HOUR],
    [(NOW + HOUR) / 1_000, NOW + HOUR],
    [String(NOW + HOUR), NOW + HOUR],
    [NOW + 1_000.7, NOW + 1_000],
    [NOW + 4 * HOUR, NOW + 4 * HOUR],
    [NOW + 4 * HOUR + 1, undefined],
    [NOW, undefined],
    [NOW - 1, undefined],
    [NOW / 1_000, undefined],
    [14_341_352_934, undefined],
    [0, undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
  ])('expires: %j', (expires, until) => {
    expect(trustedUntil(expires, NOW)).toBe(until ?? NOW + LONGEST_TRUST_MS);
  });

  test('is settled by its magnitude: seconds below, milliseconds from 100,000,000,000 on', () => {
    const early = 99_999_999_999_000;
    expect(trustedUntil(99_999_999_999, early - HOUR)).toBe(early);
    expect(trustedUntil(100_000_000_000, 100_000_000_000 - HOUR)).toBe(100_000_000_000);
    expect(trustedUntil(NOW + 366 * 24 * HOUR, NOW)).toBe(NOW + LONGEST_TRUST_MS);
  });
});

test.each([
  ['https://login.example/', 'session-refused'],
  ['https://auth.example/sorry', 'session-refused'],
  ['https://api.example/resource/login.jsp', 'unexpected-answer'],
  ['/auth/pub/sso/login/user', 'session-refused'],
  ['/resource/login.jsp', 'session-refused'],
  ['/maintenance', 'unexpected-answer'],
])('A redirect to %s, where one login is on the host that was asked, means %s', async (location, code) => {
  const asked = new URL('https://one.example/snapshots/1/diagnostics');
  const settings = {
    authUrl: location.startsWith('/')
      ? 'https://one.example/auth/pub/sso/login/user'
      : 'https://auth.example/',
    loginUrl: 'https://login.example/resource/login.jsp',
  };
  const answer = { status: 302, headers: { location }, body: new Uint8Array() };
  const read = () => Promise.reject(new Error('there is nothing to read'));
  const given = { asked, settings: settings as ServiceSettings, now: NOW };
  expect(await outcomeOf(answer, read, given)).toMatchObject({ ended: { code } });
});

describe('The encoding of a body', () => {
  const XML = '<?xml version="1.0" encoding="ISO-8859-1"?><a>z\u00fcrich</a>';
  const named = (type: string | undefined) =>
    charsetOf({ status: 200, headers: { 'content-type': type }, body: new Uint8Array() });

  test.each([
    ['text/xml; charset=utf-16', 'utf-16'],
    ['text/xml;CHARSET="Shift_JIS"', 'Shift_JIS'],
    ['text/xml; charset = utf-8 ; x=y', 'utf-8'],
    ["text/xml; charset='utf-16'", 'utf-16'],
    ['text/xml', undefined],
    [undefined, undefined],
  ])('named by %s', (type, charset) => {
    expect(named(type)).toBe(charset);
  });

  test.each([
    [Buffer.from(XML, 'latin1'), undefined, 'z\u00fcrich'],
    [Buffer.from(XML, 'utf8'), 'utf-8', 'z\u00fcrich'],
    [Buffer.from(XML.replace('"ISO-8859-1"', "'iso-8859-1'"), 'latin1'), undefined, 'z\u00fcrich'],
    [Buffer.from(`\n ${XML}`, 'latin1'), undefined, 'z\u00fcrich'],
    [Buffer.from(XML.replace('ISO-8859-1', 'klingon'), 'utf8'), undefined, 'z\u00fcrich'],
    [Buffer.from(XML.replace('encoding=', 'encoding = '), 'latin1'), undefined, 'z\u00fcrich'],
    [Buffer.from(XML.replace('encoding=', 'encoding  =\n  '), 'latin1'), undefined, 'z\u00fcrich'],
    [Buffer.from(`<!-- ${XML} -->`, 'utf8'), undefined, 'z\u00fcrich'],
    [Buffer.from('<a>z\u00fcrich encoding="ISO-8859-1"</a>', 'utf8'), undefined, 'z\u00fcrich'],
    [Buffer.from(XML, 'utf8'), 'klingon', 'z\u00fcrich'],
    [Buffer.from(`\uFEFF${XML}`, 'utf16le'), 'utf-16le', 'z\u00fcrich'],
    [Buffer.from(`\uFEFF${XML}`, 'utf8'), 'iso-8859-1', 'z\u00fcrich'],
    [Buffer.from([0x3c, 0xff, 0x3e]), undefined, '<\uFFFD>'],
  ])('decides how it is read (%#)', (body, charset, text) => {
    expect(decodeBody(body, charset)).toContain(text);
  });

  test('is looked for in the declaration only, which is short', () => {
    const late = `<?xml version="1.0" ${' '.repeat(300)} encoding="ISO-8859-1"?>z\u00fcrich`;
    expect(decodeBody(Buffer.from(late, 'utf8'), undefined)).toContain('z\u00fcrich');
  });
});

describe('The reason of a 202', () => {
  test.each([
    ['The archive is\n being  unpacked.', 'The archive is being unpacked.'],
    ['<html><head><title>Accepted</title></head><body><p>In a queue</p></body></html>', 'In a queue'],
    ['<script>alert(1)</script>In <b>a</b> queue<style>p{}</style>', 'In a queue'],
    ['<SCRIPT>x</script >In a queue', 'In a queue'],
    ['<?xml version="1.0"?><!DOCTYPE html><!-- x --><p>In a queue</p>', 'In a queue'],
    ['<script>x</style>y</script>z', 'z'],
    ['a <script> that never ends', 'a that never ends'],
    ['a</script>b', 'a b'],
    ['a</script>b</script>c', 'a b c'],
    ['<script>a<script>x</script>z', 'z'],
    ['<script>a<script>b', 'a b'],
    ['In<style>x</style>a queue', 'In a queue'],
    ['<header>In a queue</header>', 'In a queue'],
    ['<s><r>In a &lt;queue&gt;</r></s>', 'In a <queue>'],
    ['{"reason":"In a queue","message":"other"}', 'In a queue'],
    [
      '{"processing_status":"QUEUED","processing_messages":["Waiting","",{"message":"2 before it"}]}',
      'QUEUED: Waiting: 2 before it',
    ],
    ['{"status":"x","processing_messages":"Unpacking"}', 'Unpacking'],
    ['{"processing_status":null,"processing_messages":[1,null,[]],"status":"Working"}', 'Working'],
    ['{"error":"other","message":"In a queue"}', 'In a queue'],
    ['{"status":"error","processing_messages":["other"],"error":"In a queue"}', 'In a queue'],
    ['{"status":"In a queue"}', 'In a queue'],
    ['{"reason":7,"status":"In a queue"}', 'In a queue'],
    ['"In a queue"', 'In a queue'],
    ['{"reason":["r1","r2"]}', 'r1: r2'],
    ['["r1",{"message":"r2"}]', 'r1: r2'],
    ['{"error":{"message":"In a queue"}}', 'In a queue'],
    ['<s><![CDATA[In a <b>queue</b>]]></s>', 'In a queue'],
    ['Plain: 3 < 5 and 7 > 2', 'Plain: 3 < 5 and 7 > 2'],
    ['{"code":7}', ''],
    ['7', '7'],
    ['null', ''],
    ['false', ''],
    ['{broken', '{broken'],
    ['', ''],
    [' \n', ''],
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(301), `${'x'.repeat(299)}\u2026`],
    [`${' '.repeat(10_000)}late`, ''],
    [`${' '.repeat(9_990)}in time`, 'in time'],
  ])('%j is said as %j', (body, reason) => {
    expect(processingReason(body)).toBe(reason);
  });
});

describe('Why there was no answer', () => {
  const coded = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });

  test.each([
    [coded('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
    [coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
    [coded('ETIMEDOUT'), 'timeout'],
    [new DOMException('x', 'TimeoutError'), 'timeout'],
    [coded('ENOTFOUND'), 'name'],
    [coded('EAI_AGAIN'), 'name'],
    [coded('CERT_HAS_EXPIRED'), 'certificate'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate'],
    [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'certificate'],
    [coded('ERR_TLS_PROTOCOL_VERSION_CONFLICT'), 'certificate'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate'],
    [coded('EPROTO', coded('SSL_ERROR_SYSCALL')), 'certificate'],
    [coded('UND_ERR_SOCKET'), 'ended-early'],
    [coded('ECONNRESET'), 'ended-early'],
    [coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'ended-early'],
    [coded('Z_BUF_ERROR'), 'ended-early'],
    [coded('HPE_INVALID_CONSTANT'), 'undecodable'],
    [coded('UND_ERR_HEADERS_OVERFLOW'), 'undecodable'],
    [coded('Z_DATA_ERROR'), 'undecodable'],
    [coded('ECONNREFUSED'), 'connection'],
    [new Error('x', { cause: new Error('y', { cause: coded('ENOTFOUND') }) }), 'name'],
    [new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')]), 'timeout'],
    [new Error('ENOTFOUND'), 'connection'],
    ['ENOTFOUND', 'connection'],
    [undefined, 'connection'],
  ])('%s: %s', (error, reason) => {
    expect(unreachableReason(error)).toBe(reason);
  });

  test('is looked for five errors deep', () => {
    const deep = (depth: number): Error =>
      depth === 0 ? coded('ENOTFOUND') : new Error('x', { cause: deep(depth - 1) });
    expect(unreachableReason(deep(4))).toBe('name');
    expect(unreachableReason(deep(5))).toBe('connection');
    const wide = (depth: number): Error =>
      depth === 0 ? coded('ENOTFOUND') : new AggregateError([new Error('x'), wide(depth - 1)]);
    expect(unreachableReason(wide(4))).toBe('name');
    expect(unreachableReason(wide(5))).toBe('connection');
  });
});
