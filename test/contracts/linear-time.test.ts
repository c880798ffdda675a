import { expect, test } from 'vitest';
import { serialOf } from '../../src/core/diagnostics.ts';
import { numbersOf } from '../../src/core/releases.ts';
import { readSearch } from '../../src/core/searching.ts';
import { fold, idsOfTerm } from '../../src/core/texts.ts';
import { redactionOf } from '../../src/ops/logging.ts';
import { readDocument } from '../../src/service/document.ts';
import { plainText, processingReason } from '../../src/service/text.ts';
import { readState } from '../../src/slack/blocks/action-values.ts';
import { inert, pieces, shorten } from '../../src/slack/blocks/limits.ts';
import { LONGEST_TEXT, readText } from '../../src/slack/commands/ids.ts';
import {
  parseCommand,
  parseMention,
  textOfMessage,
  withoutMention,
} from '../../src/slack/commands/parse-command.ts';
import { readDelivery } from '../../src/slack/front/delivery.ts';

/** Text that makes patterns backtrack: unclosed openings, long runs, and characters that NFKC turns into these. */
const PARTS = [
  ...['<', '<!--', '<script', '<@U0BOT|', '&', '&amp;', '"', '\\', '\\"', '//', '://', ':a'],
  ...['`', '…', '‹', '[', '(', '*', 'a', '1', '1.', '1111/', 'cve-2026-1111', 'cve-2026-11112,-'],
  ...['k1111', '%25', '%4b', ' ', '\t', '\n', 'http://', 'www.', 'e.g', '. ', 'xoxb-', '"token":'],
  ...['\u200b', '\ufdfa', '😀'],
];
const ENDS = ['', '!'];

/** Every public function that reads text from outside. Some of them refuse the text, which takes time, too. */
const READERS: Record<string, (text: string) => unknown> = {
  'the log': redactionOf(['a secret', 'another one']),
  'a text': (text) => readText(text, ['x.example']),
  'a mention': (text) => parseMention(text, 'U0BOT', []),
  'the bot in a text': (text) => withoutMention(text, 'U0BOT'),
  'the ids in a message': (text) => textOfMessage({ text, files: [{ name: text }] }),
  'the one who asks': (text) =>
    readDelivery({
      ...{ type: 'view_submission', user: { id: 'U1' }, trigger_id: 't' },
      view: { id: 'V1', type: text, private_metadata: text, state: { values: { [text]: {} } } },
    }),
  'the value of a button': readState,
  'a search': readSearch,
  'a text as it is compared': fold,
  'the ids in a search': idsOfTerm,
  'a release': numbersOf,
  'a serial number': (chassisSerial) => serialOf({ chassisSerial }),
  'text for a message': inert,
  'a text to shorten': (text) => shorten(text, 60),
  'a text in pieces': (text) => pieces(text, 3_000),
  'lines of the service': (text) => plainText(text, 'lines'),
  'a block of the service': (text) => plainText(text, 'block'),
  'the reason of a 202': processingReason,
  'a document': (text) => readDocument(`<diagnostic_output>${text}`),
};

const SMALL = 25_000;
const TIMES = 4;
/** With four times the text, linear code takes four times as long, and quadratic code sixteen times. */
const MOST_GROWTH = 9;
/** Shorter times vary too much to compare, because the machine does other work, too. */
const WORTH_COMPARING_MS = 250;

function hostile(part: string, end: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length) + end;
}

/**
 * How much longer the long text takes than the small one, by the fastest of three runs. The runs alternate so that
 * other work on the machine slows both.
 */
function growthOf(read: (text: string) => unknown, small: string, long: string): number {
  const times = Array.from({ length: 3 }, () => [msFor(read, small), msFor(read, long)] as const);
  return Math.min(...times.map(([, ms]) => ms)) / Math.min(...times.map(([ms]) => ms));
}

/** The processor time of this thread. The process also has threads for garbage collection and compilation. */
function msFor(read: (text: string) => unknown, text: string): number {
  const start = process.threadCpuUsage();
  try {
    read(text);
  } catch {
    // The function may refuse the text: only the time counts.
  }
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

test.each(Object.entries(READERS))('Reading %s takes no more than linear time', (_what, read) => {
  const slow = PARTS.flatMap((part) =>
    ENDS.flatMap((end) => {
      const long = hostile(part, end, SMALL * TIMES);
      if (msFor(read, long) < WORTH_COMPARING_MS) return [];
      const growth = growthOf(read, hostile(part, end, SMALL), long);
      return growth > MOST_GROWTH ? [`${JSON.stringify(part)} … ${JSON.stringify(end)}: ${growth}`] : [];
    }),
  );
  expect(slow).toEqual([]);
});

/** NFKC sorts the marks of a letter in quadratic time. */
const MARKS = '\u0301\u0327';
const FEW_MARKS = 32_000;

test.each(Object.entries(READERS))(
  'Reading %s takes linear time however many marks a letter has',
  (_what, read) => {
    const long = hostile(MARKS, '', FEW_MARKS);
    if (msFor(read, long) < WORTH_COMPARING_MS) return;
    expect(growthOf(read, hostile(MARKS, '', FEW_MARKS / TIMES), long)).toBeLessThan(MOST_GROWTH);
  },
);

/** Readers that cut long texts. They get the longest text that they read, also one of misspelled command words. */
const IN_FULL: Record<string, (text: string) => unknown> = {
  'a command': (text) => parseCommand(`1012 ${text}`, []),
};
const NEAR_WORDS = [
  ...['hig ', 'hgih ', 'hti mis ', '268O8463 ', '1012 hig ', 'compar ', 'to ', '1013 to ', 'K1111 '],
];

test.each(Object.entries(IN_FULL))(
  'Reading %s up to its longest takes no more than linear time',
  (_what, read) => {
    const longest = LONGEST_TEXT - 100;
    const slow = [...PARTS, ...NEAR_WORDS].flatMap((part) => {
      const long = hostile(part, '', longest);
      if (msFor(read, long) < WORTH_COMPARING_MS) return [];
      const growth = growthOf(read, hostile(part, '', longest / TIMES), long);
      return growth > MOST_GROWTH ? [`${JSON.stringify(part)}: ${growth}`] : [];
    });
    expect(slow).toEqual([]);
  },
);

test('The measure notices a pattern that takes quadratic time', () => {
  const quadratic = (text: string) => text.replace(/a+$/, '');
  // The small text takes about 20 ms and the long one sixteen times as long, which is enough to compare.
  const few = SMALL / 5;
  const growth = growthOf(quadratic, hostile('a', '!', few), hostile('a', '!', few * TIMES));
  expect(growth).toBeGreaterThan(MOST_GROWTH);
});
