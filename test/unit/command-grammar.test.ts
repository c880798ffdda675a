import assert from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/core/texts.ts';
import type { Offer, ParsedCommand } from '../../src/slack/commands/near-words.ts';
import { parseCommand } from '../../src/slack/commands/parse-command.ts';
import { parseMention, parseSpoken } from '../../src/slack/commands/sentences.ts';
import { fc } from '../support/fast-check.ts';
import { anyCharacter } from '../support/hostile-text.ts';
import { snapshotId } from '../support/snapshot-id.ts';

/** What a command asks for, in short: `26808463 hit`, `usage`, or `usage: ` and what could not be understood. */
function understood(text: string): string {
  const parsed = parseCommand(text);
  if (parsed.kind === 'lookup') return `${parsed.question.snapshotId} ${parsed.question.set}`;
  return parsed.kind === 'usage' && parsed.problem !== undefined ? `usage: ${parsed.problem}` : parsed.kind;
}

describe('an id', () => {
  test.each([
    ['of seven digits, as in 2014', '2680846', '2680846 all'],
    ['in straight quotes', '"26808463"', '26808463 all'],
    ['in smart quotes, with all else', '“26808463 hit”', '26808463 hit'],
    ['in guillemets', '«26808463»', '26808463 all'],
    ['in quotes beside a word', '“26808463” hit', '26808463 hit'],
    ['in backticks, bold and italic', '`26808463` *hit* ', '26808463 hit'],
    ['in angle brackets, as Slack escapes them', '&lt;26808463&gt; hit', '26808463 hit'],
    ['with a question mark and a comma around', '26808463, hit?', '26808463 hit'],
    ['with a question mark of its own', '26808463 ?', '26808463 all'],
    ['in full-width digits', '２６８０８４６３', '26808463 all'],
    ['with zero-width characters inside and around', '\u200b2680\u200d8463\ufeff', '26808463 all'],
    ['between direction marks', '\u200e26808463\u200f miss', '26808463 miss'],
  ])('%s is read', (_name, text, expected) => {
    expect(understood(text)).toBe(expected);
  });

  test.each([
    ['with 21 digits', '123456789012345678901'],
    ['with a sign', '-26808463'],
    ['with a fraction', '26808463.5'],
    ['in hexadecimal', '0x1991'],
    ['in Arabic digits, which the service does not use', '٢٦٨٠٨٤٦٣'],
    ['glued to a word', '26808463hit'],
  ])('%s is none', (_name, text) => {
    expect(understood(text)).toBe(`usage: “${text}” is not a snapshot id.`);
  });
});

test('the set is no name of a property that every object has', () => {
  expect(parseCommand('26808463 constructor')).toMatchObject({ search: ['constructor'] });
});

test('what is meant for the asker alone is offered so', () => {
  expect(parseCommand('26808463 hti me')).toMatchObject({ offers: [{ form: '26808463 hit me' }] });
  expect(parseCommand('me tmm 26808463')).toMatchObject({ offers: [{ form: '26808463 me' }] });
});

describe('a link', () => {
  test.each([
    ['without TLS', 'http://diagnostics.example.com/26808463'],
    ['with more after the id', 'https://diagnostics.example.com/x/26808463/hits'],
    ['with a query and a fragment', 'https://diagnostics.example.com/x/26808463?tab=2#top'],
    ['with the id in the fragment', 'https://diagnostics.example.com/app#/snapshots/26808463/hits'],
    ['with the id in the query', 'https://diagnostics.example.com/app?tab=2&amp;id=26808463'],
    ['with a longer number in the query', 'https://diagnostics.example.com/26808463?t=1763600000000'],
    ['with a version in its path', 'https://diagnostics.example.com/v2/17/snapshots/26808463'],
    ['as Slack wraps it', '<https://diagnostics.example.com/x/26808463/hits>'],
    ['with a label', '<https://diagnostics.example.com/x/26808463/hits|the hits of edge 7>'],
    ['shortened, with the id in the label', '<https://short.example/xyz|26808463>'],
    ['with another id in the label', '<https://diagnostics.example.com/26808463|26808470>'],
    ['wrapped with its query', '<https://diagnostics.example.com/app?tab=2&amp;id=26808463>'],
    ['to a telephone, as phones make one of an id', '<tel:26808463|call>'],
    ['in quotes', '“<https://diagnostics.example.com/x/26808463|the hits of edge 7>”'],
    ['with a full stop after it', '<https://diagnostics.example.com/x/26808463>.'],
  ])('%s gives its id', (_name, text) => {
    expect(understood(text)).toBe('26808463 all');
    expect(understood(`hit ${text}`)).toBe('26808463 hit');
  });

  test.each([
    ['without an id', 'https://d.example.com/snapshots', 'https://d.example.com/snapshots'],
    ['with another scheme', 'ftp://d.example.com/26808463', 'ftp://d.example.com/26808463'],
    ['with the label of a page', '<https://d.example.com/|d.example.com>', 'd.example.com'],
    ['with a label as Slack escapes it', '<https://d.example.com/|a &lt;b&gt;>', 'a <b>'],
  ])('%s is not understood', (_name, text, echo) => {
    expect(understood(text)).toBe(`usage: “${echo}” is not a snapshot id.`);
  });
});

describe('anything else', () => {
  test.each([
    [''],
    ['   '],
    ['help'],
    ['HELP'],
    ['Help!'],
    ['?'],
    ['--help'],
    ['—help'],
    ['-h'],
    ['26808463 help'],
    ['“”'],
    ['<\n>'],
    ['< | >'],
  ])('%j asks for help', (text) => {
    expect(understood(text)).toBe('usage');
  });

  test.each([
    ['hti 26808463', 'usage: “hti” is not a snapshot id.'],
    ['26808463 hti me', 'usage: Did you mean “26808463 hit me”? To search for “hti”, put it in quotes.'],
    ['26808463 26808463 26808464 me', 'usage: Name each snapshot once.'],
    ['26808461-26808465 26808471-26808475', 'usage: A range of ids can’t be looked up: name each snapshot.'],
    ['<@U0BEN|ben> 26808463', 'usage: “@ben” is not a snapshot id.'],
    ['<#C0SUPPORT|support>', 'usage: “#support” is not a snapshot id.'],
    ['<!channel>', 'usage: “!channel” is not a snapshot id.'],
    ['<a\n b>', 'usage: “a b” is not a snapshot id.'],
    ['../../etc/passwd', 'usage: “/../etc/passwd” is not a snapshot id.'],
  ])('%j is answered with what could not be understood', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });

  test('of 3,600 characters is quoted in part, without half a character', () => {
    const rubbish = '🇩🇪'.repeat(900);
    const parsed = parseCommand(rubbish);
    expect(parsed).toEqual({ kind: 'usage', problem: `“${'🇩🇪'.repeat(14)}…” is not a snapshot id.` });
  });

  test('that is longer than anybody types is not read', () => {
    const problem = 'This text is too long. Type one snapshot id, or paste one link.';
    expect(parseCommand(`26808463${' '.repeat(4_000)}`)).toEqual({ kind: 'usage', problem });
    // One sign that stands for eighteen letters.
    expect(parseCommand(`26808463 ${'\ufdfa'.repeat(300)}`)).toEqual({ kind: 'usage', problem });
    // Two thousand letters, each with its accent.
    expect(parseCommand(`26808463 ${'e\u0301'.repeat(2_000)}`)).toEqual({ kind: 'usage', problem });
    const sentence = `can you check 26808463 please ${'\ufdfa'.repeat(300)}`;
    expect(parseSpoken(sentence)).toEqual({ kind: 'usage', problem });
    expect(parseMention(`<@U0BOT> ${sentence}`, 'U0BOT')).toEqual({ kind: 'quiet' });
    expect(understood(`26808463${' '.repeat(3_992)}`)).toBe('26808463 all');
  });

  test('is answered at once, however often it repeats what is costly to read', () => {
    const started = performance.now();
    for (const part of ['<', '< ', '"', '!a', '<a|', '&lt;', '\ufdfa', 'https://x/1/'])
      parseCommand(part.repeat(5_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

/** A part of a command: how it is typed, and what it stands for. */
type Part =
  | { readonly kind: 'id'; readonly typed: string; readonly id: string }
  | { readonly kind: 'set'; readonly typed: string; readonly set: 'all' | 'hit' | 'miss' }
  | { readonly kind: 'level'; readonly typed: string; readonly level: 'critical' | 'high' | 'medium' | 'low' }
  | { readonly kind: 'cve' | 'me' | 'courtesy'; readonly typed: string }
  | { readonly kind: 'search'; readonly typed: string; readonly term: string };

const anyCase = (word: string) =>
  fc.constantFrom(word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1));

const anyId = fc
  .tuple(
    fc.constantFrom('7', '26808463', '26808470', '00026808463', '12345678901234567890'),
    fc.constantFrom(
      '%',
      '#%',
      '*%*',
      '`%`',
      '(%)',
      '%,',
      '%.',
      '<tel:%|%>',
      'https://diagnostics.example.com/x/%',
    ),
  )
  .map(([id, form]): Part => ({ kind: 'id', id, typed: form.replaceAll('%', id) }));

const SETS = { hit: 'hit', hits: 'hit', miss: 'miss', misses: 'miss', missed: 'miss', all: 'all' } as const;
const anySet = fc
  .constantFrom(...(Object.keys(SETS) as (keyof typeof SETS)[]))
  .chain((word) => anyCase(word).map((typed): Part => ({ kind: 'set', typed, set: SETS[word] })));
const anyLevel = fc
  .constantFrom('critical', 'high', 'medium', 'low')
  .chain((level) => anyCase(level).map((typed): Part => ({ kind: 'level', typed, level })));
const anyOther = fc
  .constantFrom(['cve', 'cve'], ['cve', 'cves'], ['me', 'me'], ['courtesy', 'please'], ['courtesy', 'thx'])
  .chain(([kind, word]) => anyCase(word).map((typed) => ({ kind, typed }) as Part));
const anyTerm = fc
  .constantFrom(
    ['tmm', 'tmm'],
    ['kernel', 'kernel'],
    ['CVE-2026-10000', 'CVE-2026-10000'],
    ['k000100032', 'K000100032'],
    ['“core dump”', 'core dump'],
    ['"hit"', 'hit'],
  )
  .map(([typed = '', term = '']): Part => ({ kind: 'search', typed, term }));

const anyCommand = fc.tuple(
  fc.array(fc.oneof(anyId, anySet, anyLevel, anyOther, anyTerm), { minLength: 1, maxLength: 6 }),
  fc.constantFrom(' ', '  ', '\u00a0', '\u3000', '\t\n', '\u200b \u200e'),
);

function unique<T>(all: readonly T[]): T[] {
  return [...new Set(all)];
}

/** What is wrong with a command of these parts, told from the rules that the help gives; undefined if nothing is. */
function problemOf(parts: readonly Part[]): string | undefined {
  const first = parts.findIndex(({ kind }) => kind === 'id');
  const misplaced = parts.find(
    ({ kind }, index) => (kind === 'search' || kind === 'courtesy') && (first === -1 || index < first),
  );
  if (misplaced !== undefined) return `“${misplaced.typed.replace(/["“”]/g, '')}” is not a snapshot id.`;
  const ids = parts.flatMap((part) => (part.kind === 'id' ? part.id : []));
  if (ids.length === 0) return 'The snapshot id is missing.';
  if (unique(ids).length < ids.length) return 'Name each snapshot once.';
  const sets = unique(parts.flatMap((part) => (part.kind === 'set' ? part.set : [])));
  if (sets.length > 1) return 'Use either hit or miss, not both.';
  const isFiltered = parts.some(({ kind }) => kind === 'level' || kind === 'cve');
  return sets[0] === 'miss' && isFiltered ? 'Only hits can be filtered, not passed checks.' : undefined;
}

/** What a command of these parts asks for. */
function meaningOf(parts: readonly Part[]): ParsedCommand {
  const problem = problemOf(parts);
  if (problem !== undefined) return { kind: 'usage', problem };
  const has = (kind: Part['kind']) => parts.some((part) => part.kind === kind);
  const search = unique(parts.flatMap((part) => (part.kind === 'search' ? part.term : [])));
  const levels = unique(parts.flatMap((part) => (part.kind === 'level' ? part.level : [])));
  const [set = 'all'] = parts.flatMap((part) => (part.kind === 'set' ? part.set : []));
  const [question = assert.fail(), ...others] = parts.flatMap((part) =>
    part.kind === 'id' ? { snapshotId: snapshotId(part.id), set: search.length > 0 ? 'all' : set } : [],
  );
  return {
    kind: 'lookup',
    question,
    ...(others.length > 0 && { others }),
    ...(levels.length > 0 || has('cve')
      ? { filter: { ...(levels.length > 0 && { levels }), ...(has('cve') && { cve: 'with' as const }) } }
      : {}),
    ...(search.length > 0 && { search }),
    // A search asks for everything, because a verdict needs it; the one side is what it lists.
    ...(search.length > 0 && set !== 'all' && { side: set }),
    ...(has('me') && { isForMe: true as const }),
  };
}

/** A button says what it asks for, and asks for something. */
function judgeOffer({ label, spoken = label, form }: Offer) {
  expect(spoken.split(': ').at(-1)).toBe(form);
  const parsed = parseCommand(form);
  if (parsed.kind === 'usage') expect(parsed).toEqual({ kind: 'usage' });
}

test('every command of known parts, in whatever order and writing, asks for what the parts mean', () => {
  fc.assert(
    fc.property(anyCommand, ([parts, space]) => {
      const hasId = parts.some(({ kind }) => kind === 'id');
      // Without an id, quotes count as decoration and a phrase as its words.
      const typed = parts.filter(({ typed: text }) => hasId || !/["“]/.test(text));
      fc.pre(typed.length > 0);
      const parsed = parseCommand(typed.map(({ typed: text }) => text).join(space));
      const { offers = [], meant: _meant, ...said } = { offers: [], meant: undefined, ...parsed };
      expect(said).toEqual(meaningOf(typed));
      for (const offer of offers) judgeOffer(offer);
    }),
    { numRuns: 1_000 },
  );
});

const ROUGH = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(
      fc.constantFrom(
        ...['1012', '26808463', '0', 'hit', 'help', ' ', ' ', '<', '>', '|', 'https://', '/', '#', '\u200b'],
        ...['“', '"', '&lt;', '@', 'x', '-', 'compare', '\n'],
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);
/** What a text can hold and still say nothing, so that it is answered with help. */
const HELP = /help|[?]|-h\b|\u2014/i;
const LONGEST_PROBLEM = 250;

/** An id that was found stands in the text as a whole. */
function judgeLookup(
  typed: string,
  { question, before, search = [] }: Extract<ParsedCommand, { kind: 'lookup' }>,
) {
  for (const { snapshotId: id, set } of before === undefined ? [question] : [question, before]) {
    expect(typed).toMatch(new RegExp(`(?<!\\d)${id}(?!\\d)`));
    expect(['all', 'hit', 'miss']).toContain(set);
  }
  for (const word of search.flatMap((term) => fold(term).split(' '))) expect(fold(typed)).toContain(word);
}

/**
 * A text that is not understood is answered with one short line; only a text without words, or one for help, gets
 * none.
 */
function judgeUsage(typed: string, problem: string | undefined) {
  if (problem === undefined) expect(HELP.test(typed) || !/[\p{L}\p{N}]/u.test(typed)).toBe(true);
  else {
    expect(problem).toMatch(/^[^\n]+[.]$/);
    expect(problem.length).toBeLessThan(LONGEST_PROBLEM);
    expect(problem.isWellFormed()).toBe(true);
  }
}

test('no text makes the reading fail, and every answer is about the text', () => {
  fc.assert(
    fc.property(ROUGH, (text) => {
      const parsed = parseCommand(text);
      const plain = text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '');
      // Slack escapes these three in what people type.
      const typed = plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      if (parsed.kind === 'lookup') judgeLookup(typed, parsed);
      else if (parsed.kind === 'usage') judgeUsage(typed, parsed.problem);
      else expect(typed.toLowerCase()).toContain('status');
    }),
    { numRuns: 2_000 },
  );
});
