import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../src/ops/standard-output.ts', import.meta.url);

/** What a program prints that ends as the script says. */
function printed(script: string): string[] {
  const text = execFileSync(
    process.execPath,
    [
      ...['--input-type=module', '-e'],
      `import { writeSync } from 'node:fs'; import { standardOutput } from '${MODULE}';
      const out = standardOutput((line) => line.toUpperCase());
      const line = (level, words) => out.write('{"level":"' + level + '","msg":"' + words + '"}\\n');
      ${script}`,
    ],
    { encoding: 'utf8' },
  );
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^.*"MSG":"(.*)"}$/, '$1')]));
}

test('What is logged just before the process ends is written, once', () => {
  expect(printed(`line('info', 'one'); line('info', 'two'); process.exit(0);`)).toEqual(['ONE', 'TWO']);
});

test('A warning is written at once, with what came before it and no part of it later', () => {
  const script = `line('info', 'one'); line('warn', 'two'); writeSync(1, 'between\\n'); line('info', 'three');`;
  expect(printed(script)).toEqual(['ONE', 'TWO', 'between', 'THREE']);
});

test('Lines of routine are written together a moment later', () => {
  const script = `line('info', 'one'); writeSync(1, 'between\\n'); line('info', 'two');`;
  expect(printed(script)).toEqual(['between', 'ONE', 'TWO']);
});
