import { expect, test } from 'vitest';
import { commandHint, suggestions } from './completion.ts';

const app = {
  botUser: 'U0SNAPSHOT',
  hasHome: false,
  isDeaf: false,
  commands: [{ command: '/snapshot', description: 'Diagnose', hint: '<id> [hit|miss]' }],
  shortcuts: [],
};
const shelf = ['1001', '1002', '26808463'].map((id) => ({
  id,
  title: `T${id}`,
  purpose: `P${id}`,
  command: '',
  isSlow: false,
}));
const people = [
  { id: 'U0ANA', name: 'ana', realName: 'Ana Almeida', isBot: false },
  { id: 'U0SNAPSHOT', name: 'snapshot', realName: 'Snapshot', isBot: true },
];
const known = { app, shelf, people, inThread: false };
const lines = (line: string, inThread = false) =>
  suggestions(line, { ...known, inThread }).map((offer) => offer.line);

test('a slash offers the commands, with what they expect', () => {
  expect(suggestions('/', known)).toEqual([
    { line: '/snapshot ', label: '/snapshot <id> [hit|miss]', hint: 'Diagnose' },
  ]);
  expect(lines('/other')).toEqual([]);
});

test('after the command the ids of the shelf are offered, with what each is for', () => {
  expect(lines('/snapshot ')).toEqual(['/snapshot 1001 ', '/snapshot 1002 ', '/snapshot 26808463 ']);
  expect(suggestions('/snapshot 26', known)).toEqual([
    { line: '/snapshot 26808463 ', label: '26808463 T26808463', hint: 'P26808463' },
  ]);
  expect(lines('/snapshot 1001 ')).toEqual([]);
});

test('an @ offers people, also in the middle of a line', () => {
  expect(lines('please @s')).toEqual(['please @snapshot ']);
  expect(lines('mail a@s')).toEqual([]);
});

test('threads have no slash commands', () => {
  expect(lines('/', true)).toEqual([]);
  expect(lines('@an', true)).toEqual(['@ana ']);
});

test('the usage of the command stays in sight while it is typed', () => {
  expect(commandHint('/snapshot 10', app)).toBe('/snapshot <id> [hit|miss]');
  expect(commandHint('hello', app)).toBe('');
});
