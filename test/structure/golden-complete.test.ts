import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyHome } from '../support/every-destination.ts';
import { everyMessage, everyModal } from '../support/every-message.ts';
import { readSource } from './source-graph.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Whether an exported function makes something that people see, by its name. */
const MAKES = /: [a-z]\w*(?:Message|Modal|View)$/;

/** What is no golden message, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {};

/** The functions that these files of the project call while `work` runs, as `path: name`. */
async function calledIn(work: () => unknown): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const called = result.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => `${url.slice(url.lastIndexOf('/src/') + 1)}: ${functionName}`),
  );
  return new Set(called);
}

test('Every function that makes a message or a modal is used by the golden messages', async () => {
  const makers = ['src/slack/answer', 'src/slack/features']
    .flatMap((folder) => readSource(ROOT, folder))
    .flatMap(({ path, exports }) => exports.map((name) => `${path}: ${name}`))
    .filter((maker) => MAKES.test(maker));
  const called = await calledIn(() => {
    for (const make of Object.values({ ...everyMessage(), ...everyModal(), ...everyHome() })) make();
  });
  expect(makers.length).toBeGreaterThan(30);
  expect(makers.filter((maker) => !called.has(maker) && LEFT_OUT[maker] === undefined)).toEqual([]);
});
