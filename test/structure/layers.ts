/**
 * The folders of `src`, lowest first. A file may import from its own folder and from the folders above it in this
 * list, never from one below: so imports run in one direction. A file directly in `src` is named by its own path.
 * `slack/features/*` is every folder of a feature, with its own folders: none imports another one.
 */
export const LAYERS: readonly string[] = [
  'compile-cache.js',
  'core',
  'service',
  'lookups',
  'storage/backend',
  'storage/sqlite',
  'storage/redis',
  'storage',
  'slack/blocks',
  'slack/commands',
  'slack/report',
  'slack/delivery',
  'slack/front',
  'slack/features/*',
  'slack/features',
  'slack',
  'config',
  'ops',
  'doctor',
  'app.ts',
  'main.ts',
  'doctor.ts',
  'forget.ts',
];

/** Pairs that the order alone would allow, and that must not be: who may not import whom. */
export const STRANGERS: readonly (readonly [importer: string, imported: string])[] = [
  ['storage', 'service'],
  ['slack', 'storage'],
];
