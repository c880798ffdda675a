import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'src');
/** What tests start often, by the name of its file: the bot, with a shorter interval too, and the operator's tools. */
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
 * A program with all that it imports in a few files, made once for the same sources. Tests start some hundred
 * processes; from these files a start takes less than half the processor time. That each one starts from its sources,
 * as it is shipped, is tried too.
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
    // Another process of the tests was faster, with the same files.
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
    // Its threads start from a file beside it.
    ssr: { noExternal: true, external: ['tinypool'] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'esnext',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input: ENTRIES, output: { entryFileNames: '[name].js' } },
    },
  });
}

/** Sources look for files beside themselves (a thread's file, the version): in the bundle they still find these. */
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

/** Removes bundles of earlier sources that are an hour old: a process may still be starting from a newer one. */
function forgetOld(folder: string): void {
  if (Date.now() - statSync(folder).mtimeMs > HOUR_MS) rmSync(folder, { recursive: true, force: true });
}
