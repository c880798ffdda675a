import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../src/ops/standard-output.ts', import.meta.url);

/** The arguments of a program that writes lines as the script says. */
function program(script: string): string[] {
  return [
    ...['--input-type=module', '-e'],
    `import { writeSync } from 'node:fs'; import { standardOutput } from '${MODULE}';
    const out = standardOutput((line) => line.toUpperCase());
    const line = (level, words) => out.write('{"level":"' + level + '","msg":"' + words + '"}\\n');
    ${script}`,
  ];
}

/** What it prints. */
function printed(script: string): string[] {
  const text = execFileSync(process.execPath, program(script), { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^.*"MSG":"(.*)"}$/, '$1')]));
}

test('What is logged just before the process ends is written, once', () => {
  expect(printed(`line('info', 'one'); line('info', 'two'); process.exit(0);`)).toEqual(['ONE', 'TWO']);
});

test('A warning is written at once, with what came before it and no part of it later', () => {
  const script = `line('info', 'one'); line('warn', 'two'); writeSync(1, 'between\\n'); line('info', 'three');`;
  expect(printed(script)).toEqual(['ONE', 'TWO', 'between', 'THREE']);
});

test.runIf(existsSync('/dev/full'))(
  'A full disk under standard output does not end the process, nor throw at a caller',
  () => {
    const many = "for (let count = 0; count < 20_000; count += 1) line('warn', 'x'.repeat(1_000));";
    const script = `line('info', 'one'); ${many} setTimeout(() => { line('info', 'two'); console.error('alive'); }, 50);`;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, ...program(script)],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([0, 'alive\n']);
  },
);

test('Lines of routine are written together a moment later', () => {
  const script = `line('info', 'one'); writeSync(1, 'between\\n'); line('info', 'two');`;
  expect(printed(script)).toEqual(['between', 'ONE', 'TWO']);
});
