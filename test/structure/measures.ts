import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSource, type SourceFile } from './source-graph.ts';

/**
 * Measures `src` of the project in `root`. Throws if its files import each other in a circle, including type imports.
 */
export function measure(root: string) {
  const files = readSource(root, 'src');
  const folderImports = files.flatMap(({ path, imports }) =>
    imports
      .map(({ from }) => [dirname(path), dirname(from)] as const)
      .filter(([importer, imported]) => importer !== imported)
      .map((pair) => pair.join(' > ')),
  );
  return {
    files: files.length,
    lines: linesIn(join(root, 'src')),
    /** Lines of TypeScript under `test`. */
    testLines: linesIn(join(root, 'test')),
    /** The number of exports of `src`; `usedOnce`: how many of them exactly one other file of `src` imports. */
    exports: files.flatMap(({ exports }) => exports).length,
    usedOnce: countUsedOnce(files),
    /** The number of folders with files, including `src` itself. */
    folders: new Set(files.map(({ path }) => dirname(path))).size,
    /** The number of pairs of folders in which the first imports the second. */
    folderImports: new Set(folderImports).size,
    /** The length of the longest chain of imports, in files. */
    longestChain: longestChainOf(files),
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
