import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SUBCOMMANDS } from '../../src/slack/commands/parse-command.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Folders of `src/storage` that are no backend. */
const SHARED = ['backend'];
const CALL = /^ +contract\(/gm;

test.each(['test/unit/storage/store.test.ts', 'test/durability/queues.test.ts'])(
  '%s runs its contract on every backend',
  (suite) => {
    const folders = globSync('*/', { cwd: join(ROOT, 'src/storage') }).filter(
      (name) => !SHARED.includes(name),
    );
    expect(folders.length).toBeGreaterThan(1);
    expect(textOf(suite).match(CALL) ?? []).toHaveLength(folders.length);
  },
);

const STATUS = /^ {4}case (4\d\d):/gm;
/** Answers that are about the session or about everybody's requests, and not about one snapshot. */
const OF_NO_SNAPSHOT = ['401', '429'];

function clientStatuses(): string[] {
  return [...textOf('src/service/answers.ts').matchAll(STATUS)].map(([, status = '']) => status);
}

test('Every status with a meaning of its own is tried: as an answer, or as the end of a session', () => {
  const statuses = clientStatuses();
  const tried = ['client', 'retry-after'].map((name) => textOf(`test/unit/service/${name}.test.ts`)).join();
  expect(statuses.length).toBeGreaterThan(4);
  expect(statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(tried))).toEqual([]);
});

test('The emulator has a snapshot answered with every status that is about one', () => {
  const emulator = textOf('test/emulators/diagnostics-service/snapshot.ts');
  const statuses = clientStatuses().filter((status) => !OF_NO_SNAPSHOT.includes(status));
  expect(statuses.filter((status) => !emulator.includes(`${status}: '`))).toEqual([]);
});

test('The README teaches every form of the command, with straight quotes', () => {
  const readme = textOf('README.md');
  const forms = SUBCOMMANDS.flatMap((subcommand) => subcommand.forms).map(({ form }) => form);
  const isNamed = (form: string) =>
    [' ', '`'].some((end) => readme.includes(`/snapshot ${form.replace(/[“”]/g, '"')}${end}`));
  expect(forms.filter((form) => !isNamed(form))).toEqual([]);
});
