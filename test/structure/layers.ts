/**
 * The folders of `src`, lowest first. A file may import from its own folder and from earlier folders of this list,
 * never from later ones. A file directly in `src` has its own entry. `slack/features/*` stands for the folder of each
 * feature: a feature imports no other feature.
 */
export const LAYERS: readonly string[] = [
  'compile-cache.js',
  'core',
  'service',
  'lookups',
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

/** Pairs that the order would allow but that are forbidden: the first may not import the second. */
export const STRANGERS: readonly (readonly [importer: string, imported: string])[] = [
  ['storage', 'service'],
  ['slack', 'storage'],
];
