import { describe, expect, test } from 'vitest';
import { usageMessage } from '../src/slack/messages/usage-message.ts';
import { parseCommand } from '../src/slack/parse-command.ts';
import { SUBCOMMANDS } from '../src/slack/subcommands/registry.ts';
import { textsOf } from './harness/message-parts.ts';

/** What a command asks for, in short. */
function understood(text: string): string {
  const parsed = parseCommand(text);
  if (parsed.kind === 'usage') return parsed.problem === undefined ? 'usage' : `usage: ${parsed.problem}`;
  const { question, before, filter } = parsed;
  return [
    before === undefined ? '' : `${before.snapshotId} →`,
    question.snapshotId,
    question.set,
    ...(filter?.levels ?? []),
    filter?.cve === undefined ? '' : `${filter.cve} CVEs`,
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
    const { text, blocks } = usageMessage('/snapshot');
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
      '26808463 hit',
      '26808463 miss',
      '26808463 all critical',
      '26808463 → 26808470 hit',
      'usage',
    ]);
  });
});

describe('the shorthand for a filter', () => {
  test.each([
    ['26808463 critical', '26808463 all critical'],
    ['CRITICAL 26808463', '26808463 all critical'],
    ['26808463 high', '26808463 all high'],
    ['26808463 medium', '26808463 all medium'],
    ['26808463 low', '26808463 all low'],
    ['26808463 “high”, critical', '26808463 all high critical'],
    ['26808463 critical critical', '26808463 all critical'],
    ['26808463 hit high', '26808463 hit high'],
    ['26808463 cve', '26808463 all with CVEs'],
    ['26808463 low CVEs', '26808463 all low with CVEs'],
    ['critical', 'usage: The snapshot id is missing.'],
    ['26808463 miss critical', 'usage: Passed checks can not be filtered: only the issues found can.'],
    ['26808463 severe', 'usage: “severe” is not a snapshot id.'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});

describe('a comparison', () => {
  const TWO = 'usage: To compare, type the earlier snapshot and the later one.';
  test.each([
    ['compare 1010 1011', '1010 → 1011 hit'],
    ['Compare 1010, 1011.', '1010 → 1011 hit'],
    ['diff 1010 with 1011', '1010 → 1011 hit'],
    ['compare 1010 → 1011', '1010 → 1011 hit'],
    ['compare <https://d.example.com/1010/x> <https://d.example.com/1011|later>', '1010 → 1011 hit'],
    ['compare 01010 1010', '01010 → 1010 hit'],
    ['compare', TWO],
    ['compare 1010', TWO],
    ['compare 1010 1011 1012', TWO],
    ['compare 1010 1010', 'usage: These two are the same snapshot: there is nothing to compare.'],
    ['compare 1010 soon', 'usage: “soon” is not a snapshot id.'],
    ['compare 1010 hit', 'usage: “hit” is not a snapshot id.'],
    ['compare help', 'usage'],
  ])('%j asks for %s', (text, expected) => {
    expect(understood(text)).toBe(expected);
  });
});
