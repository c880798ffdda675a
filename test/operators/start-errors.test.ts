import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../src/config/settings.ts';
import { EVERY_START_ERROR } from '../support/every-start-error.ts';

test('Every reason for which the bot can not start is known to the tests and the documents', () => {
  const classes = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/class (\w+) extends CannotStart/g)].map(([, name]) => name),
  );
  const known = EVERY_START_ERROR.map((error) => error.constructor.name);
  expect([...new Set(known)].sort()).toEqual(classes.sort());
});

test.for(EVERY_START_ERROR)('%s names its setting, and says what to do', ({ setting, what, repair }) => {
  expect(VARIABLES).toContain(setting);
  expect(what).not.toMatch(/\.$/);
  expect(repair).toMatch(/^(?:copy|check|stop|choose|run|restore|set|use) /);
});
