import { describe, expect, test } from 'vitest';
import { offersOf } from '../../../src/slack/commands/compare.ts';
import { parseMention } from '../../../src/slack/commands/mentions.ts';
import { nearestWord } from '../../../src/slack/commands/near-words.ts';
import { parseCommand } from '../../../src/slack/commands/parse-command.ts';
import { findIds } from '../../../src/slack/commands/sentences.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

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
  ['268O8463 hit', '26808463 hit'],
  ['hit 268O8463', '26808463 hit'],
  ['26808463 hti “core dump”', '26808463 hit “core dump”'],
  ['oil', undefined],
  ['l0l', undefined],
  ['2680x463', undefined],
  ['edge-7', undefined],
])('%s most likely means %s', (text, form) => {
  expect(meantBy(text)).toBe(form);
});

describe('What several snapshots can be asked', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => snapshotId(String(1_000 + at)));

  test('is each alone, ten at most', () => {
    expect(offersOf([])).toEqual([]);
    expect(offersOf(ids(1))).toEqual([
      { label: '1000', asked: { question: { snapshotId: '1000', set: 'all' } } },
    ]);
    expect(offersOf(ids(3)).map(({ label }) => label)).toEqual(['1000', '1001', '1002']);
    expect(offersOf(ids(11))).toHaveLength(10);
  });

  test('and of two what changed from the first to the second', () => {
    const [compare, ...each] = offersOf(ids(2));
    expect(each.map(({ label }) => label)).toEqual(['1000', '1001']);
    expect(compare).toMatchObject({
      ...{ label: 'Compare them', spoken: 'Compare 1000 with 1001' },
      asked: { question: { snapshotId: '1001' }, before: { snapshotId: '1000' } },
    });
  });
});

describe('Whoever mentions the bot', () => {
  const AT = '<@U0BOT>';
  const WHICH = 'Which snapshot? Mention me with its id.';

  test.each([
    `${AT} please check the latest one for us`,
    `${AT} can you analyze the thing from yesterday`,
    `${AT} can you analyse the thing from yesterday`,
    `${AT} could you look at the upload of edge`,
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

  test('are those of the usual length, and others only where there is none of it', () => {
    expect(findIds({ text: 'of 2680846312 and 26808463' })).toEqual(['26808463']);
    expect(findIds({ text: 'of 2680846312 and 2026' })).toEqual(['2680846312', '2026']);
    expect(findIds({ text: `of ${'1'.repeat(21)} and 123` })).toEqual([]);
  });

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
