import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSource, type SourceFile } from './source-graph.ts';

/** The measures of the structure of `src`. */
export type Measures = {
  readonly files: number;
  readonly lines: number;
  /** Lines of TypeScript under `test`. */
  readonly testLines: number;
  /** Exports of `src`, and those of them that exactly one other file of `src` imports. */
  readonly exports: number;
  readonly usedOnce: number;
  /** Folders that hold files; `src` itself is one. */
  readonly rooms: number;
  /** Pairs of rooms of which one imports the other. */
  readonly arrows: number;
  /** The most files that import one another in a row, first to last. */
  readonly longestChain: readonly string[];
  /** Exports that no other file imports, tests included, as `path: name`. */
  readonly unusedExports: readonly string[];
};

/** Measures `src` of the project in `root`. Throws when its files import one another in a circle, types included. */
export function measure(root: string): Measures {
  const files = readSource(root, 'src');
  const arrows = files.flatMap(({ path, imports }) =>
    imports
      .map(({ from }) => [dirname(path), dirname(from)] as const)
      .filter(([importer, imported]) => importer !== imported)
      .map((pair) => pair.join(' > ')),
  );
  return {
    files: files.length,
    lines: linesIn(join(root, 'src')),
    testLines: linesIn(join(root, 'test')),
    exports: files.flatMap(({ exports }) => exports).length,
    usedOnce: countUsedOnce(files),
    rooms: new Set(files.map(({ path }) => dirname(path))).size,
    arrows: new Set(arrows).size,
    longestChain: longestChainOf(files),
    unusedExports: unusedExportsOf(files, [...files, ...readSource(root, 'test')]),
  };
}

function linesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  return files.reduce(
    (sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').length - 1,
    0,
  );
}

function countUsedOnce(files: readonly SourceFile[]): number {
  const importers = new Map<string, number>();
  for (const { imports } of files) {
    for (const { from, names } of imports) {
      for (const name of new Set(names))
        importers.set(`${from}: ${name}`, (importers.get(`${from}: ${name}`) ?? 0) + 1);
    }
  }
  return files.flatMap(({ path, exports }) =>
    exports.filter((name) => importers.get(`${path}: ${name}`) === 1),
  ).length;
}

function longestChainOf(files: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  const chains = new Map<string, readonly string[]>();
  const chainFrom = (path: string, importers: readonly string[] = []): readonly string[] => {
    const known = chains.get(path);
    if (known !== undefined) return known;
    const way = [...importers, path];
    if (importers.includes(path))
      throw new Error(`a cycle of imports: ${way.slice(way.indexOf(path)).join(' > ')}`);
    const chain = [path, ...longest((importsOf.get(path) ?? []).map((each) => chainFrom(each, way)))];
    chains.set(path, chain);
    return chain;
  };
  return longest(files.map(({ path }) => chainFrom(path)));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}

function unusedExportsOf(files: readonly SourceFile[], importers: readonly SourceFile[]): string[] {
  const used = new Set(
    importers.flatMap(({ imports }) =>
      imports.flatMap(({ from, names }) => names.map((name) => `${from}: ${name}`)),
    ),
  );
  return files.flatMap(({ path, exports }) =>
    exports.map((name) => `${path}: ${name}`).filter((one) => !used.has(one) && !used.has(`${path}: *`)),
  );
}
