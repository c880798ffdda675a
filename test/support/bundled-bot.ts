import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'src');
/** The programs that tests start often: the bot, the bot with a shorter interval, and the operators' tools. */
const ENTRIES = {
  'replica-process': join(ROOT, 'test', 'chaos', 'replica-process.ts'),
  main: join(SOURCES, 'main.ts'),
  doctor: join(SOURCES, 'doctor.ts'),
  forget: join(SOURCES, 'forget.ts'),
};
const KEPT = join(ROOT, 'node_modules', '.cache', 'bundled-bot');
const HOUR_MS = 3_600_000;

let bundling: Promise<string> | undefined;

/**
 * Bundles a program and its imports into a few files, once for each version of the sources. Tests start hundreds of
 * processes, and a bundle starts in less than half the processor time. Other tests start the shipped sources.
 */
export async function bundled(entry: keyof typeof ENTRIES): Promise<string> {
  bundling ??= bundle();
  return join(await bundling, `${entry}.js`);
}

async function bundle(): Promise<string> {
  const folder = join(KEPT, fingerprint());
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  for (const name of readdirSync(KEPT)) forgetOld(join(KEPT, name));
  const draft = join(KEPT, randomUUID());
  await write(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // A parallel test process has already made these files.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

async function write(folder: string): Promise<void> {
  await build({
    configFile: false,
    envDir: false,
    root: ROOT,
    logLevel: 'silent',
    plugins: [staysWhereItIs],
    // tinypool starts its threads from a separate file.
    ssr: { noExternal: true, external: ['tinypool'] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'esnext',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: ENTRIES,
        output: { entryFileNames: '[name].js', minify: { compress: false, mangle: false, codegen: true } },
      },
    },
  });
  // Otherwise Node parses each file at each start to find out that it is a module.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

/** Some sources find files by their own location, for example the file of a thread. This keeps such paths valid. */
const staysWhereItIs: Plugin = {
  name: 'stays-where-it-is',
  transform: (code, id) =>
    id.startsWith(SOURCES)
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
};

function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(SOURCES, name));
  for (const path of [join(ROOT, 'package-lock.json'), ENTRIES['replica-process'], ...sources]) {
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Deletes a bundle of other sources after an hour: until then a process may still start from it. */
function forgetOld(folder: string): void {
  if (Date.now() - statSync(folder).mtimeMs > HOUR_MS) rmSync(folder, { recursive: true, force: true });
}
