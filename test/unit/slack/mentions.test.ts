import { describe, expect, test } from 'vitest';
import { questionsOf } from '../../../src/core/lookup.ts';
import { searchText } from '../../../src/core/searching.ts';
import type { ParsedCommand } from '../../../src/slack/commands/near-words.ts';
import { LONGEST_TEXT, parseCommand } from '../../../src/slack/commands/parse-command.ts';
import {
  mayBeARequest,
  parseMention,
  parseSpoken,
  withoutMention,
} from '../../../src/slack/commands/sentences.ts';

const BOT = 'U0BOT';
const AT = `<@${BOT}>`;

/** What a text asks for, in short. */
function understood(parsed: ParsedCommand | ReturnType<typeof parseMention>): string {
  if (parsed.kind === 'quiet') return 'quiet';
  if (parsed.kind === 'usage') return parsed.problem === undefined ? 'help' : `usage: ${parsed.problem}`;
  if (parsed.kind !== 'lookup') return parsed.kind;
  const { before, search } = parsed;
  const asked = search === undefined ? '' : ` for ${searchText(search)}`;
  const ids = questionsOf(parsed).map(({ snapshotId }) => snapshotId);
  return `${ids.join(before === undefined ? ' ' : ' → ')} ${parsed.question.set}${asked}`;
}

describe('Where a text mentions the bot', () => {
  test.each([
    [`${AT} 1012`, '  1012'],
    [`1012 <@${BOT}|snapshot> hit`, '1012   hit'],
    [`${AT}${AT}1`, '  1'],
    ['<@U0BOTX> 1', '<@U0BOTX> 1'],
    ['<@U0BEN> 1', '<@U0BEN> 1'],
  ])('%s is read as %j', (text, expected) => {
    expect(withoutMention(text, BOT)).toBe(expected);
  });

  test.each([
    [`${AT} check`, true],
    [`  ${AT} check`, true],
    [`<@${BOT}|snapshot> check`, true],
    [`check ${AT}`, false],
    [`<@U0BEN> check ${AT}`, false],
  ])('%s speaks to it: %s', (text, expected) => {
    expect(understood(parseMention(text, BOT)).startsWith('usage: Which snapshot?')).toBe(expected);
  });

  test.each([
    [`${AT} 1`, true],
    [`${AT} <https://d.example.com/x>`, true],
    [`${AT} <http://d.example.com/x>`, true],
    [`${AT} thanks a lot`, false],
    ['<@U0BOT2> thanks', true],
  ])('%s may be a request: %s', (text, expected) => {
    expect(mayBeARequest(text, BOT)).toBe(expected);
  });
});

describe('What is said to the bot', () => {
  test.each([
    ['26808463 hit', '26808463 hit'],
    ['26808463 tmm core', '26808463 all for tmm core'],
    ['26808463 26808470 tmm', '26808463 26808470 all for tmm'],
    ['26808463 is the one', '26808463 all'],
    ['26808463 is this Hit', '26808463 all'],
    ['26808463 hit The leak', '26808463 all'],
    ['can you check 26808463 please', '26808463 all'],
    ['snapshot 26808463', '26808463 all'],
    ['Snapshot ID: 26808463', '26808463 all'],
    ['snapshot id:26808463', '26808463 all'],
    ['qkview 26808463', '26808463 all'],
    ['please see id=1012', '1012 all'],
    ['please diagnose 1012', '1012 all'],
    ['please look up 1012', '1012 all'],
    ['please show me 1012', '1012 all'],
    ['please show 12345678901234567890', '12345678901234567890 all'],
    ['can you look at 1012?', '1012 all'],
    ['look at case id 1012', 'usage: “look” is not a snapshot id.'],
    ['case 00412345 has snapshot 26808463', '26808463 all'],
    ['snapshot #26808463 (case number: 00412345)', '26808463 all'],
    ['26808463 for case 00412345', '26808463 all'],
    ['check case 26808463', '26808463 all'],
    ['snapshot 1012', '1012 all'],
    ['look at 2680846', '2680846 all'],
    ['see 268084633', '268084633 all'],
    ['Check 26808463, thanks!', '26808463 all'],
    ['would like 26808463', '26808463 all'],
    ['look at 268084', '268084 all'],
    ['is it 268084', '268084 all'],
    [' is it 268084', '268084 all'],
    ['26808463 ?', '26808463 all'],
    ['can you check 26808463 ?', '26808463 all'],
    ['what is in 26808463 ?', '26808463 all'],
    ['can you help me with 26808463', '26808463 all'],
    ['help me with 26808463', '26808463 all'],
    ['is CVE-2024-99999 on 26808463?', '26808463 all for CVE-2024-99999'],
    ['is cve 2026 10000 on 1001?', '1001 all for CVE-2026-10000'],
    ['is <https://nvd.example/vuln/detail/CVE-2026-10000> on 26808463?', '26808463 all for CVE-2026-10000'],
    [
      'is K000100032 or CVE-2026-10000 on 26808463 and 26808470',
      '26808463 26808470 all for K000100032 CVE-2026-10000',
    ],
    ['26808463 is it affected by CVE-2026-10000', '26808463 all for CVE-2026-10000'],
    ['do we have CVE-2026-10000', 'usage: “do” is not a snapshot id.'],
    ['does 1001 have the critical ones', '1001 all'],
    ['the load of 1001 is high?', '1001 all'],
    ['we saw 1001 on it', 'usage: “we” is not a snapshot id.'],
    ['is it on port 8443?', 'usage: “is” is not a snapshot id.'],
    ['is it on ports 18443?', 'usage: “is” is not a snapshot id.'],
    ['are you free at 1230?', 'usage: “are” is not a snapshot id.'],
    ['what changed in 2026?', 'usage: “what” is not a snapshot id.'],
    ['is it so since 1999?', 'usage: “is” is not a snapshot id.'],
    ['is 1001 or 1002 worse', 'usage: “is” is not a snapshot id.'],
    ['can you stop watching 1011', 'usage: “can” is not a snapshot id.'],
    ['how are you ?', 'usage: “how” is not a snapshot id.'],
    ['look at 26808463 and 26808470', '26808463 26808470 all'],
    ['show snapshot 1012 on port 8443', '1012 all'],
    ['show snapshot 1012 and snapshot 1013', '1012 1013 all'],
    ['show snapshot 1012 and once more snapshot 1012', '1012 all'],
    ['show snapshot 1012-5', 'usage: “show” is not a snapshot id.'],
    ['show snapshot 1012:5', 'usage: “show” is not a snapshot id.'],
    ['show snapshot 1012/5', 'usage: “show” is not a snapshot id.'],
    ['show snapshot 1012.5', 'usage: “show” is not a snapshot id.'],
    ['edge-7 26808463', 'usage: “edge-7” is not a snapshot id.'],
    ['look at it', 'usage: “look” is not a snapshot id.'],
    ['can you help me', 'help'],
    ['help', 'help'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(parseSpoken(text))).toBe(expected);
  });

  test.each(['ticket', 'incident', 'order', 'serial', 'SR', 'case no', 'case id'])(
    'with the number of a %s is about the snapshot alone',
    (called) => {
      expect(understood(parseSpoken(`what is in 26808463 of ${called} 00412345`))).toBe('26808463 all');
    },
  );

  test('keeps what it says of the hits, but not where “hit” is a word like others', () => {
    expect(parseSpoken('26808463 is it critical')).toMatchObject({ filter: { levels: ['critical'] } });
    expect(parseSpoken('26808463 is this Hit')).not.toHaveProperty('side');
  });
});

describe('A mention', () => {
  test.each([
    [`${AT} 26808463`, '26808463 all'],
    [`26808463 ${AT} hit`, '26808463 hit'],
    [`${AT} compare 1010 1011`, '1010 → 1011 hit'],
    [`hey ${AT} can you look at 26808463`, '26808463 all'],
    [AT, 'help'],
    [`${AT} help`, 'help'],
    [`please ${AT} help`, 'help'],
    [`did ${AT} help with this yesterday`, 'quiet'],
    [`did ${AT} help them`, 'quiet'],
    [`${AT} what is this?`, 'quiet'],
    [`${AT} what is in 1011 ?`, '1011 all'],
    [`${AT} is CVE-2026-10000 on 1001?`, '1001 all for CVE-2026-10000'],
    [`${AT} can you check 26808463 ?`, '26808463 all'],
    [`can ${AT} help with 26808463?`, '26808463 all'],
    [`${AT} ?`, 'help'],
    [`deployed on 8443, ${AT} is it`, 'quiet'],
    [`${AT} Thanks!`, 'quiet'],
    [`${AT} keep watching 1010 for us`, /^usage/],
    [`${AT} thanks a lot`, 'quiet'],
    [`${AT} 26808463x`, 'usage: “26808463x” is not a snapshot id.'],
    [`the one of edge-7, ${AT}: 26808463x is it`, /^usage/],
    [`${AT} 1234x`, 'usage: “1234x” is not a snapshot id.'],
    [`we had 1234x, ${AT}`, 'quiet'],
    [`we had 12345x, ${AT}`, /^usage/],
    [`${AT} hit`, 'usage: The snapshot id is missing.'],
    [`${AT} hit critical cve`, 'usage: The snapshot id is missing.'],
    [`${AT} hit critical cve high`, 'quiet'],
    [`hit, ${AT}`, 'quiet'],
    [`${AT} compare`, /^usage: To compare/],
    [`${AT} diff`, /^usage: To compare/],
    [`${AT} <https://d.example.com/docs>`, /^usage/],
    [`${AT} 26808463 me`, /^usage: Everyone sees the answer to a mention/],
    [`${AT} 26808463 26808470 me`, /^usage: Everyone sees the answer to a mention/],
    [`${AT} certificate expired`, 'quiet'],
  ])('%s asks for %s', (text, expected) => {
    const said = understood(parseMention(text, BOT));
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test('in a text that is longer than anybody asks is not read', () => {
    const long = (length: number) => `${AT} 26808463 ${'x'.repeat(length - AT.length - 10)}`;
    expect(understood(parseMention(long(LONGEST_TEXT + 1), BOT))).toBe('quiet');
    expect(understood(parseMention(long(LONGEST_TEXT), BOT))).not.toBe('quiet');
  });
});

test('A command is read up to 4,000 characters, and no further', () => {
  const text = (length: number) => `26808463 ${'hit '.repeat(1_000)}`.slice(0, length).padEnd(length);
  expect(understood(parseCommand(text(4_000)))).toBe('26808463 hit');
  expect(understood(parseCommand(text(4_001)))).toMatch(/^usage: This text is too long/);
});
