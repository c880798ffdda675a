import { describe, expect, test } from 'vitest';
import { searchText } from '../../src/core/searching.ts';
import { usageMessage } from '../../src/slack/answer/usage-message.ts';
import { parseCommand, SUBCOMMANDS } from '../../src/slack/commands/parse-command.ts';
import { textsOf } from '../support/message-parts.ts';

/** What a command asks for, in short. */
function understood(text: string): string {
  const parsed = parseCommand(text);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return `usage: ${parsed.problem}`;
  if (parsed.kind !== 'lookup') return parsed.kind;
  const { question, others = [], before, filter, search, againstLast, isForMe } = parsed;
  return [
    before === undefined ? '' : `${before.snapshotId} →`,
    againstLast === undefined ? '' : 'last →',
    question.snapshotId,
    ...others.map(({ snapshotId }) => snapshotId),
    question.set,
    ...(filter?.levels ?? []),
    filter?.cve === undefined ? '' : `${filter.cve} CVEs`,
    isForMe === undefined ? '' : 'alone',
    ...(search === undefined ? [] : [`for ${searchText(search)}`]),
  ]
    .filter(Boolean)
    .join(' ');
}

const FORMS = SUBCOMMANDS.flatMap(({ forms }) => forms.map(({ form }) => form));
const WORDS = SUBCOMMANDS.flatMap(({ words }) => words);

describe('every form that is taught', () => {
  test.each(FORMS)('“%s” is understood', (form) => {
    expect(understood(form)).toMatch(form === 'help' ? /^usage$/ : /^(?!usage)/);
  });

  test.each(FORMS)('“%s” is in the usage message, with what it gives', (form) => {
    const { text, blocks } = usageMessage('/snapshot', undefined, true);
    expect(text).toMatch(new RegExp(`/snapshot ${form}: \\w`));
    expect(textsOf(blocks, 'text')).toContain(`/snapshot ${form}`);
  });

  test('is another one, and no word begins two subcommands', () => {
    expect(new Set(FORMS).size).toBe(FORMS.length);
    expect(new Set(WORDS).size).toBe(WORDS.length);
  });

  test('asks for something else', () => {
    expect(FORMS.map(understood)).toEqual([
      '26808463 all',
      '26808463 miss',
      '26808463 all critical',
      '26808463 all for CVE-2026-10000',
      '26808463 all for tmm “core dump”',
      '26808463 26808470 all',
      '26808463 all alone',
      '26808463 → 26808470 hit',
      'last → 26808463 hit',
      'watch',
      'unwatch',
      'usage',
      'status',
    ]);
  });
});

describe('the status', () => {
  test.each([
    [' Status ', 'status'],
    ['status?', 'status'],
    ['status 26808463', 'usage: “status” is not a snapshot id.'],
    ['26808463 status', '26808463 all for status'],
    ['watch 26808463 please', 'watch'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});

describe('the shorthand for a filter', () => {
  test.each([
    ['26808463 high, critical', '26808463 all high critical'],
    ['severe 26808463', 'usage: “severe” is not a snapshot id.'],
    ['and 26808463 26808470', 'usage: “and” is not a snapshot id.'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});

describe('what follows the id', () => {
  const near = (word: string, typed: string) =>
    `usage: Did you mean “26808463 ${word}”? To search for “${typed}”, put it in quotes.`;
  test.each([
    ['26808463 cve-2026-10000, K000100032!', '26808463 all for CVE-2026-10000 K000100032'],
    ['26808463 d000162521', '26808463 all for D000162521'],
    ['26808463 tmm core dump', '26808463 all for tmm core dump'],
    ['26808463 „core dump“ «log 1»', '26808463 all for “core dump” “log 1”'],
    ['26808463 "core dump', '26808463 all for core dump'],
    ['26808463 "critical"', '26808463 all for critical'],
    ['26808463 "compare 1 2"', '26808463 all for “compare 1 2”'],
    ['26808463 "help"', '26808463 all for help'],
    ['26808463 "1234567"', '26808463 all for 1234567'],
    ['26808463 is it hit by CVE-2026-10000 ?', '26808463 all for CVE-2026-10000'],
    ['26808463 could not connect', '26808463 all for could not connect'],
    ['26808463 &lt;b&gt;', '26808463 all for b'],
    ['26808463 “a &lt; b”', '26808463 all for “a < b”'],
    ['26808463 a&amp;lt;b', '26808463 all for a&lt;b'],
    ['26808463 pls plz thank ta cheers', '26808463 all'],
    ['1010 versus 1011', '1010 1011 all'],
    ['1010 -> 1011', '1010 1011 all'],
    ['1010 -&gt; 1011', '1010 1011 all'],
    ['compare 1011 -&gt; 1010', '1010 → 1011 hit'],
    ['1010 + 1011', '1010 1011 all'],
    ['1010 ... tmm', '1010 all for tmm'],
    ['...', 'usage'],
    ['1010 &amp; 1011', '1010 1011 all'],
    [
      '26808463 <https://support.example.com/s/article/K000100032?x=1|K000100032>',
      '26808463 all for K000100032',
    ],
    ['26808463 https://support.example.com/s/article/K000100032', '26808463 all for K000100032'],
    ['26808463 <https://www.cve.example/CVERecord?id=CVE-2026-10000>', '26808463 all for CVE-2026-10000'],
    ['26808463 CVE-2026-10000/01', '26808463 all for CVE-2026-10000 CVE-2026-10001'],
    ['26808463 CVE - 2026 - 10000', '26808463 all for CVE-2026-10000'],
    ['26808463 core CORE cöre', '26808463 all for core'],
    ['26808463 + tmm', '26808463 all for + tmm'],
    ['26808463 CVE-2026-10000 “is it”', '26808463 all for CVE-2026-10000 “is it”'],
    ['26808463 crit hgih', '26808463 all for crit hgih'],
    ['26808463 hit mis', '26808463 all for mis'],
    ['26808463 crit', near('critical', 'crit')],
    ['26808463 hgih', near('high', 'hgih')],
    ['26808463 mis', near('miss', 'mis')],
    ['26808463 hti', near('hit', 'hti')],
    ['26808463 mediun', near('medium', 'mediun')],
    ['26808463 critcal', near('critical', 'critcal')],
    ['26808463 "crit"', '26808463 all for crit'],
    ['26808463 <@U0BEN|ben>', 'usage: “@ben” is not a snapshot id.'],
    [
      `26808463 ${'word '.repeat(3)}${'w'.repeat(80)}`,
      'usage: That’s too much to search for at once: use at most 8 words and about 70 characters.',
    ],
    [
      '26808463 a b c d e f g h i',
      'usage: That’s too much to search for at once: use at most 8 words and about 70 characters.',
    ],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});

describe('what is nearly a form', () => {
  test.each([
    ['hlep', 'help'],
    ['statuss', 'status'],
    ['wacth 1010', 'watch 1010'],
    ['unwtch 1010', 'unwatch 1010'],
    ['stop watching 1010', 'unwatch 1010'],
    ['don’t watch 1010', 'unwatch 1010'],
    ['go on unwatching 1010', 'unwatch 1010'],
    ['please end the watch of 1010', 'unwatch 1010'],
    ['quit watching 1010', 'unwatch 1010'],
    ['cancel the watch of 1010', 'unwatch 1010'],
    ['we need no watch of 1010', 'unwatch 1010'],
    ['please do not watch 1010', 'unwatch 1010'],
    ['keep watching 1010 for me', 'watch 1010'],
    ['keep watching 1010 1011', '1010 1011'],
    ['these 1010 crit', '1010 critical'],
    ['is CVE-2026-10000 on 1010', '1010 CVE-2026-10000'],
    ['is cve 2026 10000 on 1010 ?', '1010 CVE-2026-10000'],
    ['compare last 1010 1011', 'compare last 1010'],
    ['compare 1010 hit', 'compare last 1010'],
    ['compare 1010 1011 hit', 'compare 1010 1011'],
    ['compare 1010 hit 1010', 'compare last 1010'],
    ['hel', 'help'],
    ['comapre 1010 1011', 'compare 1010 1011'],
    ['comapre last 1010', 'compare last 1010'],
    ['compare 1010', 'compare last 1010'],
    ['comapre 1010', 'compare last 1010'],
    ['these 1010', '1010'],
    ['these 1010 1010', '1010'],
  ])('%j gets “%s” as a button, which asks for what is written on it', (text, form) => {
    const parsed = parseCommand(text);
    expect(parsed).toMatchObject({ kind: 'usage', meant: { form }, offers: [{ form }] });
    expect(parseCommand(form)).not.toHaveProperty('problem');
  });

  test.each(['hlep me out', 'hello', 'comapre'])('%j is not', (text) => {
    expect(parseCommand(text)).not.toHaveProperty('offers');
  });
});

test.each([
  ['compare last 1010 soon', ['compare last 1010']],
  ['compare 1010 1011 soon', ['Compare them']],
  ['26808463 hti “core dump”', ['26808463 hit “core dump”']],
  ['26808463 26808470 26808471 hti', ['26808463 26808470 26808471 hit']],
  ['26808463 26808470 26808471 mis', ['Look up these 3']],
  ['26808463 hti “core dump of the tmm”', ['Look up 26808463']],
  ['26808463 miss high “core dump of the tmm”', ['high', 'miss']],
])('what is offered to %j is read on a phone: %j', (text, labels) => {
  const parsed = parseCommand(text);
  expect(parsed.kind === 'usage' && parsed.offers?.map(({ label }) => label)).toEqual(labels);
});

describe('a watch', () => {
  const ONE = (word: string, id: string) =>
    `To ${word} a snapshot, type one id and nothing else: “${word} ${id}”.`;
  test.each([
    ['watch', ONE('watch', '26808463'), undefined],
    ['watch ?', ONE('watch', '26808463'), undefined],
    ['unwatch please', ONE('unwatch', '26808463'), undefined],
    ['watch 1010 1011', ONE('watch', '1010'), ['watch 1010', 'watch 1011']],
    ['watch 1011 critical', ONE('watch', '1011'), ['watch 1011']],
    ['unwatch 1011 1011', ONE('unwatch', '1011'), ['unwatch 1011']],
    ['watch 1 2 3 4 5 6 7 8 9', ONE('watch', '1'), [1, 2, 3, 4, 5, 6, 7, 8].map((id) => `watch ${id}`)],
  ])('%j is of one snapshot', (text, problem, forms) => {
    const parsed = parseCommand(text);
    const offers = forms?.map((form) => ({ label: form, form }));
    expect(parsed).toEqual({ kind: 'usage', problem, ...(offers && { offers }) });
  });
});

test.each([
  ['1010 hit miss', ['1010 hit', '1010 miss']],
  ['1010 1011 miss high cve', ['1010 1011 high cve', '1010 1011 miss']],
  ['1010 hit miss high', ['1010 hit high', '1010 miss']],
  [
    '1010 miss high “core dump” tmm me please',
    ['1010 high “core dump” tmm me', '1010 miss “core dump” tmm me'],
  ],
])('%j contradicts itself, so both are offered', (text, forms) => {
  expect(parseCommand(text)).toMatchObject({ offers: forms.map((form) => ({ form })) });
});

describe('a comparison', () => {
  const TWO = 'usage: To compare, type two ids, in any order.';
  const LAST = 'usage: To compare with the device’s last result, type one id: “compare last 26808463”.';
  test.each([
    ['compare 1010 1011', '1010 → 1011 hit'],
    ['Compare 1010, 1011.', '1010 → 1011 hit'],
    ['diff 1010 with 1011', '1010 → 1011 hit'],
    ['compare 1010 → 1011', '1010 → 1011 hit'],
    ['compare 1011 1010', '1010 → 1011 hit'],
    ['compare 1010 1011 please', '1010 → 1011 hit'],
    ['compare 1000 999', '999 → 1000 hit'],
    ['compare <https://d.example.com/1010/x> <https://d.example.com/1011|later>', '1010 → 1011 hit'],
    ['compare 01010 1010', '01010 → 1010 hit'],
    ['compare last 1010', 'last → 1010 hit'],
    ['Compare 1010 with LAST', 'last → 1010 hit'],
    ['compare last', LAST],
    ['compare last last', LAST],
    ['compare last 1010 1011', LAST],
    ['compare', TWO],
    ['compare 1010', TWO],
    ['compare 1010 1011 1012', 'usage: Only two snapshots can be compared; several stand side by side.'],
    ['compare 1010 1010', 'usage: Both ids are the same snapshot: there is nothing to compare.'],
    ['comapre 1010 1010', 'usage: Both ids are the same snapshot: there is nothing to compare.'],
    ['compare 1010 soon', 'usage: “soon” is not a snapshot id.'],
    ['compare 1010 hit', 'usage: “hit” is not a snapshot id.'],
    ['compare help', 'usage'],
    ['comapre', 'usage: “comapre” is not a snapshot id.'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});
