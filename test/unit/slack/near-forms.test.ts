import { describe, expect, test } from 'vitest';
import { questionsOf } from '../../../src/core/lookup.ts';
import { nearestWord } from '../../../src/slack/commands/near-words.ts';
import { parseCommand } from '../../../src/slack/commands/parse-command.ts';
import { findIds, parseMention, parseSpoken } from '../../../src/slack/commands/sentences.ts';

const GRAMMAR = ['hit', 'miss', 'all', 'critical', 'high', 'low'];

/** The right form that a text is taken for, if there is one. */
function meantBy(text: string): string | undefined {
  const parsed = parseCommand(text);
  return parsed.kind === 'usage' ? parsed.meant?.form : undefined;
}

test.each([
  ['cri', 'critical'],
  ['criti', 'critical'],
  ['cr', undefined],
  ['hgih', 'high'],
  ['hihg', 'high'],
  ['mis', 'miss'],
  ['misss', 'miss'],
  ['niss', 'miss'],
  ['mss', 'miss'],
  ['hitt', 'hit'],
  ['chit', 'hit'],
  ['ht', undefined],
  ['log', undefined],
  ['hot', undefined],
  ['higher', undefined],
  ['critically', undefined],
  ['missing', undefined],
  ['core', undefined],
  ['', undefined],
])('%j is nearly %j of the grammar', (typed, word) => {
  expect(nearestWord(typed, GRAMMAR)).toBe(word);
});

test.each([
  ['268O8463', '26808463'],
  ['2i8l8463', '21818463'],
  ['1O12', '1012'],
  ['1234567890123456789O', '12345678901234567890'],
  ['268O8463 hit', '26808463 hit'],
  ['hit 268O8463', '26808463 hit'],
  ['26808463 hti “core dump”', '26808463 hit “core dump”'],
  ['oil', undefined],
  ['l0l', undefined],
  ['oiloil', undefined],
  ['2680x463', undefined],
  ['edge-7', undefined],
])('%s most likely means %s', (text, form) => {
  expect(meantBy(text)).toBe(form);
});

describe('Several snapshots', () => {
  const EIGHT = '26808460 26808461 26808462 26808463 26808464 26808465 26808466 26808467';

  test.each([
    ['26808463 26808470', '26808463 26808470'],
    ['26808463, 26808470 and 26808471', '26808463 26808470 26808471'],
    ['26808470 vs 26808463', '26808470 26808463'],
    ['critical <https://h/26808463|h> + 26808470', '26808463 26808470'],
    [EIGHT, EIGHT],
    ['can you check 26808463 and 26808470 please', '26808463 26808470'],
    ['which of 26808463 26808470 26808471 has it', '26808463 26808470 26808471'],
  ])('are looked up together: %s', (text, ids) => {
    expect(idsOf(parseSpoken(text))).toBe(ids);
  });

  test.each<readonly [string, string]>([
    [`${EIGHT} 26808468`, EIGHT],
    ['26808463 26808470 26808463 critical', '26808463 26808470 critical'],
    ['26808463 26808463', '26808463'],
    ['26808463-26808465', '26808463 26808464 26808465'],
    ['26808461 26808463 – 26808465 hit', '26808461 26808463 26808464 26808465 hit'],
    ['26808461-26808468', '26808461 26808462 26808463 26808464 26808465 26808466 26808467 26808468'],
    ['26808461-26808469', '26808461 26808469'],
    ['00001010-00001012', '00001010 00001011 00001012'],
    ...['–', '—', '..', '...', ' to ', ' - ', ' — ', ' .. ', ' ... '].map((sign): [string, string] => [
      `1010${sign}1012`,
      '1010 1011 1012',
    ]),
    ['9999-10001', '9999 10001'],
    ['1012-1010', '1012 1010'],
    ['26808463...26808499 hit', '26808463 26808499 hit'],
    ['compare 26808463 26808470 26808471 26808463', '26808463 26808470 26808471'],
    [`compare ${EIGHT} 26808468`, EIGHT],
    [`please check ${EIGHT} 26808468 for me`, EIGHT],
  ])('that can’t be are offered in the nearest form: %s', (text, form) => {
    const parsed = parseSpoken(text);
    const offered =
      parsed.kind === 'usage' ? parsed.offers?.map(({ form: text }) => parseCommand(text)) : undefined;
    expect(parsed).toMatchObject({ kind: 'usage', meant: { form } });
    expect(offered).toEqual([expect.objectContaining({ kind: 'lookup' })]);
  });

  test('of eight with as much as an answer can carry have room in the state of its message', () => {
    const parsed = parseCommand(`${EIGHT} CVE-2026-10000 CVE-2026-20000 CVE-2026-30000 CVE-2026-40000`);
    expect(parsed).toEqual({ kind: 'usage', problem: expect.stringContaining('fewer snapshots') });
    expect(idsOf(parseCommand(`${EIGHT} CVE-2026-10000`))).toBe(EIGHT);
    expect(parseCommand('26808463 2026-10000')).toMatchObject({ kind: 'lookup', search: ['2026-10000'] });
  });
});

/** The snapshots that are looked up. */
function idsOf(parsed: ReturnType<typeof parseCommand>): string | undefined {
  return parsed.kind === 'lookup'
    ? questionsOf(parsed)
        .map(({ snapshotId }) => snapshotId)
        .join(' ')
    : undefined;
}

describe('Whoever mentions the bot', () => {
  const AT = '<@U0BOT>';
  const WHICH = 'Which snapshot? Mention me with its id.';

  test.each([
    `${AT} please check the latest one for us`,
    `${AT} can you analyze the thing from yesterday`,
    `${AT} can you analyse the thing from yesterday`,
    `${AT} could you look at the upload of edge`,
    `${AT} could you look up the upload of edge`,
    `${AT} can you show the latest one to us`,
    `${AT} please diagnose the thing from yesterday`,
    `${AT} what does the snapshot of edge say?`,
    `${AT} are there any snapshots of edge?`,
  ])('and asks without an id is asked for it: %s', (text) => {
    expect(parseMention(text, 'U0BOT')).toEqual({ kind: 'usage', problem: WHICH });
  });

  test.each([
    `${AT} posted the snapshot of edge yesterday`,
    `${AT} is it really you over there?`,
    `please ask ${AT} to check the latest one`,
    `${AT} please check the box in row 7 for me`,
  ])('and asks for nothing is not answered: %s', (text) => {
    expect(parseMention(text, 'U0BOT')).toEqual({ kind: 'quiet' });
  });
});

describe('The ids that a message names', () => {
  test.each(['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link', 'from_url', 'name'])(
    'are found in the field %s of an attachment',
    (key) => {
      const link = 'http://diagnostics.example/snapshots/26808463';
      expect(findIds({ attachments: [{ [key]: link, author_id: '1234567' }] })).toEqual(['26808463']);
    },
  );

  test('are in the name and the title of a file, and in nothing else of it', () => {
    const file = {
      name: 'a_26808463.qkview',
      title: 'b-26808464',
      id: '1234567',
      url: 'https://x.example/26808465',
    };
    expect(findIds({ files: [file] })).toEqual(['26808463', '26808464']);
    expect(findIds({ files: null, text: 'of <@12345678> 26808463' })).toEqual(['26808463']);
  });
});
