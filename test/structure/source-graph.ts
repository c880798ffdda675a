import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A source file with its exports and its imports (`*`: everything). Paths are relative to the root. */
export type SourceFile = {
  readonly path: string;
  readonly exports: readonly string[];
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
};

/** Every TypeScript file in a folder of `root`, sorted by path. */
export function readSource(root: string, folder: string): SourceFile[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .sort()
    .map((path) => readFile(root, path));
}

function readFile(root: string, path: string): SourceFile {
  const absolute = join(root, path);
  const text = readFileSync(absolute, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(absolute, text).module;
  const entries = staticExports.flatMap((one) => one.entries);
  const imported = [
    ...staticImports.map((one) => ({
      specifier: one.moduleRequest.value,
      names: one.entries.map(({ importName }) => importName.name ?? '*'),
    })),
    ...entries.map((one) => ({
      specifier: one.moduleRequest?.value ?? '',
      names: [one.importName.name ?? '*'],
    })),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: text.slice(start + 1, end - 1),
      names: ['*'],
    })),
  ];
  return {
    path: path.split(sep).join('/'),
    exports: entries.flatMap(({ exportName }) => exportName.name ?? []),
    imports: imported
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, names }) => ({
        from: relative(root, join(dirname(absolute), specifier))
          .split(sep)
          .join('/'),
        names,
      })),
  };
}
