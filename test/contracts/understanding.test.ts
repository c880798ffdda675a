import { describe, expect, test } from 'vitest';
import { MOST_TOGETHER, questionsOf } from '../../src/core/lookup.ts';
import { nearWord } from '../../src/slack/commands/ids.ts';
import {
  type ParsedCommand,
  parseCommand,
  parseMention,
  parseSpoken,
  textOfMessage,
} from '../../src/slack/commands/parse-command.ts';
import { fc } from '../support/fast-check.ts';
import { anyCharacter } from '../support/hostile-text.ts';
import { CASES, SERVICE } from './understanding.ts';

const HOSTS = [SERVICE];
const AT = '<@U0BOT>';

/** What the parser understood, in the notation of `CASES`. */
function notation(
  parsed: ParsedCommand | ReturnType<typeof parseSpoken> | ReturnType<typeof parseMention>,
): string {
  if (parsed.kind === 'usage')
    return (parsed.problem ?? 'help')
      .replace(/^“.*” names no .*/s, 'no id')
      .replace(/^This link names no .*/, 'no id in this link');
  if (parsed.kind === 'watch' || parsed.kind === 'unwatch') return `${parsed.kind} ${parsed.snapshotId}`;
  return parsed.kind === 'lookup' ? ofLookup(parsed) : parsed.kind;
}

function ofLookup(parsed: Extract<ParsedCommand, { kind: 'lookup' }>): string {
  const { question, filter, search = [], side, before, againstLast, isForMe } = parsed;
  const isComparison = before !== undefined || againstLast === true;
  const filters = [
    ...(isComparison ? [] : [side ?? question.set].filter((set) => set !== 'all')),
    ...(filter?.levels ?? []),
    ...(filter?.cve ? ['cve'] : []),
  ];
  const ids = questionsOf(parsed).map(({ snapshotId }) => snapshotId);
  return [
    againstLast ? `last → ${ids}` : ids.join(isComparison ? ' → ' : ' '),
    ...(filters.length > 0 ? [`!${filters.join(' ')}`] : []),
    ...(search.length > 0 ? [`?${search.join(',')}`] : []),
    ...(isForMe ? ['me'] : []),
  ].join(' ');
}

test.for(CASES)('%j is %s as a command', ([typed, command]) => {
  expect(notation(parseCommand(typed, HOSTS))).toBe(command);
});

test.for(CASES)('%j in a direct message asks for %s, or for %s', ([typed, command, spoken = command]) => {
  expect(notation(parseSpoken(typed, HOSTS))).toBe(spoken);
});

/** The answer to a short mention that names no id. */
const WHICH = 'Which snapshot? Mention me with its id.';

test.for(CASES)('%j behind a mention asks for %s, or for %s', ([typed, command, spoken = command]) => {
  const isShort = typed.split(/\s+/).length <= 5;
  const expected = spoken === 'chat' ? (isShort ? WHICH : 'quiet') : spoken;
  const isSeen = spoken.endsWith(' me') && 'Everyone sees the answer to a mention.';
  const said = notation(parseMention(`${AT} ${typed}`, 'U0BOT', HOSTS));
  expect(said.startsWith(isSeen || expected)).toBe(true);
  if (!isSeen) expect(said).toBe(expected);
});

describe('A mention', () => {
  test.each([
    [AT, WHICH],
    [`please ${AT} help`, 'quiet'],
    [`${AT} thanks!`, 'quiet'],
    [`${AT} thank you so much`, 'quiet'],
    [`did ${AT} help with this yesterday`, 'quiet'],
    [`26808463 ${AT} what do you say about this one here`, '26808463'],
    [`we told them to ask ${AT} about 26808463 and never heard back`, '26808463'],
    [`${AT} can you check it`, WHICH],
    [`  <@U0BOT|snapshot> check`, WHICH],
    [`check ${AT}`, 'quiet'],
    [`<@U0BEN> check ${AT}`, 'quiet'],
    [`${AT} is a bot that we have had for years`, 'quiet'],
    [`see https://x.example/?page=2 ${AT}`, 'quiet'],
  ])('%s asks for %s', (text, expected) => {
    expect(notation(parseMention(text, 'U0BOT', HOSTS))).toBe(expected);
  });

  test('reads what it forwards', () => {
    expect(notation(parseMention(`${AT} please`, 'U0BOT', HOSTS, 'edge-7 is down, see 26808463'))).toBe(
      '26808463',
    );
  });
});

test.each([
  ['its text', { text: 'see 26808463' }, '26808463'],
  [
    'the names of its files',
    { text: '', files: [{ name: 'qkview_26808463.tgz', id: 'F1234567', user: 'U1' }] },
    '26808463',
  ],
  [
    'what it forwards',
    { attachments: [{ is_share: true, from_url: 'https://a.example/1234567', text: 'see 26808463' }] },
    '26808463',
  ],
  [
    'blocks and attachments of an app',
    {
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '26808463' } }],
      attachments: [{ fields: [{ title: 'Snapshot', value: '26808470' }] }],
    },
    '26808463 26808470',
  ],
  [
    'no link preview of Slack',
    { text: '26808463', attachments: [{ from_url: 'https://a.example', text: '1234567' }] },
    '26808463',
  ],
  [
    'no data of buttons and options',
    {
      text: '26808463',
      blocks: [
        { elements: [{ action_id: 'a', value: '{"id":"1234567"}', options: [{ value: '1234568' }] }] },
      ],
    },
    '26808463',
  ],
  [
    'no ids of Slack',
    { text: 'hi', ts: '1795167300.000100', user: 'U26808463', client_msg_id: '26808463' },
    'chat',
  ],
])('Of a message the bot reads %s', (_what, message, expected) => {
  expect(notation(parseSpoken(textOfMessage(message), HOSTS))).toBe(expected);
});

test(`More than ${MOST_TOGETHER} snapshots in a command are refused`, () => {
  const nine = Array.from({ length: 9 }, (_, at) => 26_808_461 + at).join(' ');
  expect(notation(parseCommand(nine, HOSTS))).toBe('At most 8 snapshots fit in one answer.');
  expect(notation(parseMention(`${nine} ${AT}`, 'U0BOT', HOSTS))).toBe(
    'At most 8 snapshots fit in one answer.',
  );
  const long = 'x'.repeat(100);
  expect(notation(parseCommand(`26808463 ${long}`, HOSTS))).toMatch(/^That’s too much for one answer/);
});

test.each([
  ['edge-7', 'edge-7', ''],
  ['what is critical on EDGE-7?', 'EDGE-7', 'what is critical on'],
  ['edge-7 CVE-2026-10000 “core dump”', 'edge-7', 'CVE-2026-10000 “core dump”'],
  ['compare last edge-7', 'edge-7', 'compare last'],
  ['<http://edge-7.example.com|edge-7.example.com> me', 'edge-7.example.com', 'me'],
  ['edge-7 core', 'edge-7', 'core'],
])('%s may name the device %s', (typed, name, rest) => {
  expect(parseCommand(typed, HOSTS)).toMatchObject({ kind: 'usage', named: { name, rest } });
});

test('Only a word that differs by one letter from a command word is a typing error', () => {
  const words = 'critcal hihg higgh mis medum hti critical lo tmm'.split(' ');
  const near = words.map((word) => nearWord(word) ?? '');
  expect(near).toEqual(['critical', '', 'high', 'miss', 'medium', '', '', '', '']);
});

test('For any typed text, an error is one short line and every id is in the text', () => {
  const part = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      '1012',
      '26808463',
      'hit',
      'help',
      'watch',
      '<',
      '>',
      '|',
      'https://',
      '/',
      '“',
      '"',
      '(',
      'case',
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.constantFrom('', ' '), (parts, space) => {
      const text = parts.join(space);
      const parsed = parseCommand(text, HOSTS);
      if (parsed.kind === 'usage') expect(parsed.problem ?? '.').toMatch(/^[^\n]{0,250}\.$/);
      if (parsed.kind !== 'lookup') return;
      const digits = text.normalize('NFKC').replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}]/gu, '');
      // The parser turns digits of other scripts into ASCII digits, which the text does not contain.
      if (/(?![0-9])\p{Nd}/u.test(digits)) return;
      for (const { snapshotId } of questionsOf(parsed)) expect(digits).toContain(snapshotId);
    }),
    { numRuns: 2_000 },
  );
});
