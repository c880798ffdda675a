import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = new URL('../../../src/ops/output.ts', import.meta.url);

/** The arguments of a program that writes lines as the script says. */
function program(script: string): string[] {
  return [
    ...['--input-type=module', '-e'],
    `import { writeSync } from 'node:fs'; import { logOutput } from '${MODULE}';
    const out = logOutput((line) => line.toUpperCase());
    const line = (level, words) => out.write('{"level":"' + level + '","msg":"' + words + '"}\\n');
    ${script}`,
  ];
}

/** What it prints. */
function printed(script: string): string[] {
  const lines = execFileSync(process.execPath, program(script), { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^.*"MSG":"(.*)"}$/, '$1')]));
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

/** Runs the script without reading what it prints. */
function unread(script: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, program(script), { timeout: 20_000, killSignal: 'SIGKILL' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('While nobody reads standard output the process goes on; its reader then gets whole lines in order, and how many are lost', async () => {
  const script = `
    for (let count = 0; count < 20_000; count += 1) line('warn', count + 'x'.repeat(1_000));
    console.error('alive');
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = unread(script);
  expect(String(await once(child.stderr, 'data'))).toBe('alive\n');
  let read = 0;
  for await (const line of createInterface(child.stdout)) {
    const { LEVEL, MSG } = JSON.parse(line);
    if (!MSG.startsWith(`${read}X`)) {
      expect([LEVEL, MSG]).toEqual(['WARN', expect.stringContaining(`LOST: ${20_000 - read}`)]);
      child.stdin.end();
      break;
    }
    read += 1;
  }
  expect(read).toBeGreaterThan(15_000);
  expect(read).toBeLessThan(20_000);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('A reader who comes late gets the whole log of a process that is at its end', async () => {
  // By this clock no time passes, so that the process waits for its reader however busy the machine is.
  const script = `performance.now = () => 1_000;
    for (let count = 0; count < 1_000; count += 1) line('warn', 'x'.repeat(1_000));
    console.error('ending');
    process.exit();`;
  const child = unread(script);
  await once(child.stderr, 'data');
  expect((await text(child.stdout)).match(/\n/g)).toHaveLength(1_000);
});

test('A process ends though nobody reads what it has to say', async () => {
  const script = `for (let count = 0; count < 1_000; count += 1) line('warn', 'x'.repeat(1_000)); process.exit(3);`;
  expect(await once(unread(script), 'exit')).toEqual([3, null]);
});

test('Lines of routine are written together a moment later, and ten milliseconds after those before', () => {
  const script = `line('info', 'one'); writeSync(1, 'between\\n'); line('info', 'two');`;
  expect(printed(script)).toEqual(['between', 'ONE', 'TWO']);
  // By this clock no time passes, so that only the order of the timers counts.
  const later = `performance.now = () => 1_000;
    line('info', 'one');
    setTimeout(() => {
      line('info', 'two');
      setTimeout(() => writeSync(1, 'soon\\n'), 1);
      setTimeout(() => { writeSync(1, 'later\\n'); process.exit(); }, 30);
    }, 5);`;
  expect(printed(later)).toEqual(['ONE', 'soon', 'TWO', 'later']);
});
