import { expect, test } from 'vitest';
import { BadArguments, readOptions } from './options.ts';

test('without arguments the demo serves the page, over HTTP', () => {
  expect(readOptions([])).toEqual({ kind: 'page', command: '', mode: 'http', verbose: false });
});

test('a command in quotes, or in several words, is the only one that runs', () => {
  expect(readOptions(['/snapshot 1001 hit'])).toMatchObject({
    kind: 'command',
    command: '/snapshot 1001 hit',
  });
  expect(readOptions(['/snapshot', '1001', '--socket'])).toMatchObject({
    kind: 'command',
    command: '/snapshot 1001',
    mode: 'socket',
  });
});

test('the tour and the help have a flag each', () => {
  expect(readOptions(['--tour', '--verbose'])).toMatchObject({ kind: 'tour', verbose: true });
  expect(readOptions(['-h'])).toMatchObject({ kind: 'help' });
});

test('how pasted links are shown comes from the environment', () => {
  expect(readOptions([], { UNFURL: 'work-object' })).toMatchObject({ kind: 'page', unfurl: 'work-object' });
});

test.each([
  [['--foo'], /--foo.*The demo knows --tour/],
  [['snapshot'], /not a slash command/],
  [['--tour', '/snapshot 1'], /not both/],
])('%j is refused with a reason', (args, reason) => {
  expect(() => readOptions(args)).toThrow(BadArguments);
  expect(() => readOptions(args)).toThrow(reason);
});
