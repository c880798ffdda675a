import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { readSource } from './source-graph.ts';
import { namesOfConfig } from './source-names.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The programs that read the configuration, by the file that starts each. */
const PROGRAMS = { bot: 'src/run.ts', doctor: 'src/doctor.ts', forget: 'src/forget.ts' } as const;
type Program = keyof typeof PROGRAMS;

const ALL: readonly Program[] = ['bot', 'doctor', 'forget'];
const NOTHING_TO_CHECK = 'any value that the configuration takes works';
/** `npm run forget` opens the store, and neither listens nor asks anybody. */
const STORE_ALONE = 'it uses only the store';

type Readers = { readonly by: readonly Program[]; readonly whyNot?: Partial<Record<Program, string>> };

/** Which programs read each part of the configuration, and why the others don't need it. */
const READERS: Readonly<Record<keyof Config, Readers>> = {
  slack: { by: ['bot', 'doctor'], whyNot: { forget: STORE_ALONE } },
  port: { by: ['bot', 'doctor'], whyNot: { forget: STORE_ALONE } },
  opsPort: { by: ['bot', 'doctor'], whyNot: { forget: STORE_ALONE } },
  otlpEndpoint: {
    by: ['bot'],
    whyNot: { doctor: 'the bot works without a collector', forget: 'it is not traced' },
  },
  access: { by: ['bot', 'doctor'], whyNot: { forget: 'whoever may run it may do so' } },
  admins: { by: ['bot'], whyNot: { doctor: NOTHING_TO_CHECK, forget: STORE_ALONE } },
  contact: {
    by: ['bot'],
    whyNot: { doctor: 'it speaks to the contact', forget: 'it speaks to the contact' },
  },
  service: { by: ['bot', 'doctor'], whyNot: { forget: STORE_ALONE } },
  serviceConcurrency: { by: ['bot'], whyNot: { doctor: 'it asks once', forget: STORE_ALONE } },
  storage: { by: ALL },
  commandsPerMinute: { by: ['bot'], whyNot: { doctor: NOTHING_TO_CHECK, forget: STORE_ALONE } },
  auditFile: {
    by: ['bot', 'doctor'],
    whyNot: { forget: 'its lines are about what people do in Slack' },
  },
  waitLimitMs: { by: ['bot'], whyNot: { doctor: NOTHING_TO_CHECK, forget: STORE_ALONE } },
  retention: { by: ['bot', 'forget'], whyNot: { doctor: NOTHING_TO_CHECK } },
  logLevel: {
    by: ['bot'],
    whyNot: { doctor: 'it prints findings', forget: 'it prints what it deleted, and errors' },
  },
  logFormat: {
    by: ['bot'],
    whyNot: { doctor: 'it has --json', forget: 'it prints what it deleted, and errors' },
  },
  proxies: { by: ['bot', 'doctor'], whyNot: { forget: STORE_ALONE } },
  secrets: { by: ALL },
};

const files = new Map(readSource(ROOT, 'src').map((file) => [file.path, file]));

/** A file, and every file that it imports, in as many steps as it takes. */
function reachable(path: string, found = new Set<string>()): ReadonlySet<string> {
  const file = files.get(path);
  if (file === undefined || found.has(path)) return found;
  found.add(path);
  for (const { from } of file.imports) reachable(from, found);
  return found;
}

/** What builds the configuration. */
const BUILDERS = new Set(['src/config.ts', 'src/environment.ts', 'src/load-config.ts']);
const read = new Map(
  [...files.keys()]
    .filter((path) => !BUILDERS.has(path))
    .map((path) => [path, namesOfConfig(join(ROOT, path))] as const),
);

/** The programs one of whose files reads that part of the configuration. */
function readersOf(name: string): Program[] {
  return ALL.filter((program) =>
    [...reachable(PROGRAMS[program])].some((path) => read.get(path)?.has(name) ?? false),
  );
}

test.each(Object.entries(READERS))(
  'The part “%s” of the configuration is read by each program that needs it',
  (name, { by, whyNot = {} }) => {
    expect(readersOf(name)).toEqual(by);
    expect([...by, ...Object.keys(whyNot)].sort()).toEqual([...ALL].sort());
  },
);
