import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOORS } from './doors.ts';
import { LAYERS, STRANGERS } from './layers.ts';
import { readSource } from './source-graph.ts';

const ROOT = join(import.meta.dirname, '..', '..');

function layerOf(path: string): string {
  const folder = dirname(path);
  if (featureOf(path) !== undefined) return 'slack/features/*';
  return folder === '.' ? path : folder;
}

/** The feature that a file belongs to; undefined outside of the features. */
function featureOf(path: string): string | undefined {
  return /^slack\/features\/([^/]+)\//.exec(path)?.[1];
}

function isWithin(layer: string, folder: string): boolean {
  return layer === folder || layer.startsWith(`${folder}/`);
}

/** The problem of an import; undefined if it is allowed. Both paths are relative to `src`. */
function problemWith(importer: string, imported: string): string | undefined {
  const [from, to] = [layerOf(importer), layerOf(imported)];
  const [feature, other] = [featureOf(importer), featureOf(imported)];
  if (feature !== undefined && other !== undefined && feature !== other)
    return `a feature imports no other one, and ${other} is one`;
  const unknown = [from, to].find((layer) => !LAYERS.includes(layer));
  if (unknown !== undefined)
    return `${unknown} is not in test/structure/layers.ts: say there where it belongs`;
  if (LAYERS.indexOf(to) > LAYERS.indexOf(from)) return `${from} is below ${to} and may not import it`;
  const strangers = STRANGERS.some(([one, other]) => isWithin(from, one) && isWithin(to, other));
  return strangers ? `${from} may not import ${to}` : undefined;
}

/** A line for each import in `src` that violates the order. */
function importProblems(): string[] {
  const path = (from: string) => from.replace(/^src\//, '');
  return readSource(ROOT, 'src').flatMap((file) =>
    file.imports.flatMap(({ from }) => {
      const problem = problemWith(path(file.path), path(from));
      return problem === undefined ? [] : [`${file.path}: ${problem} (${from})`];
    }),
  );
}

/** A line for each import of a test from a file of `src` outside `DOORS`, and for each cast by way of `unknown`. */
function doorProblems(): string[] {
  return readSource(ROOT, 'test').flatMap(({ path, imports }) => [
    ...imports.flatMap(({ from }) => {
      const [, inner] = /^src\/(.*)$/.exec(from) ?? [];
      const isOpen = inner === undefined || DOORS.some((door) => isWithin(inner, door));
      return isOpen ? [] : [`${path}: ${from} is no door of src (test/structure/doors.ts)`];
    }),
    ...(/(?: as unknown) as /.test(readFileSync(join(ROOT, path), 'utf8'))
      ? [`${path}: a cast by way of unknown: give the whole object, or test from outside`]
      : []),
  ]);
}

const problems = [...importProblems(), ...doorProblems()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
