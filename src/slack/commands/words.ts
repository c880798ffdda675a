import leven from 'leven';
import type { DiagnosticSet } from '../../core/diagnostics.ts';
import type { LevelGroup } from '../../core/importance.ts';

/** What a word means beside an id: a set of diagnostics, a filter of the hits, or something else to do. */
type Meaning = {
  readonly set?: DiagnosticSet;
  readonly level?: LevelGroup;
  readonly cve?: 'with';
  readonly act?: 'me' | 'compare' | 'last' | 'watch' | 'unwatch' | 'help' | 'status' | 'devices';
};

/** The words of a command, with their plurals. Every other word is searched for. */
const WORDS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['hit', { set: 'hit' }],
  ['hits', { set: 'hit' }],
  ['miss', { set: 'miss' }],
  ['misses', { set: 'miss' }],
  ['all', {}],
  ...(['critical', 'high', 'medium', 'low'] as const).map((level) => [level, { level }] as const),
  ['cve', { cve: 'with' }],
  ['cves', { cve: 'with' }],
  ['diff', { act: 'compare' }],
  ...(['me', 'compare', 'last', 'watch', 'unwatch', 'help', 'status', 'devices'] as const).map(
    (act) => [act, { act }] as const,
  ),
]);

/** Courtesies, and what joins two ids: no words anywhere. */
const SILENT = wordsIn(
  'please pls plz thanks thank thx ta cheers hi hello hey cc fyi and or vs versus with to',
);

/** What sentences are made of: nobody searches an analysis for it. */
const OF_SENTENCES = wordsIn(
  'a an the i we us my our you your it its is are was were be been am this that these those what which why how who ' +
    'when where do does did has have had can could would should will may of on in at for from by about since until ' +
    'now again today yesterday tomorrow there here not no any some only just still also please asap let lets give ' +
    'check look see show tell diagnose analyse analyze run lookup up snapshot snapshots qkview qkviews id ids',
);

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** What a word of a command means; undefined for every other word. */
export function meaningOf(word: string): Meaning | undefined {
  return WORDS.get(word.toLowerCase());
}

/** Whether a word says nothing, in a command or elsewhere. */
export function isSilent(word: string): boolean {
  return SILENT.has(word.toLowerCase());
}

/** Whether a command searches for a word. */
export function isSought(word: string): boolean {
  return !OF_SENTENCES.has(word.toLowerCase());
}

/** Whether a word means something only without an id. */
function isAlone(act: Meaning['act']): boolean {
  return act === 'help' || act === 'status' || act === 'devices';
}

/** In shorter words another letter makes another word. */
const SHORTEST_SLIP = 3;

/** The word of a command that is one letter away from a word, for one that was searched for and found nowhere. */
export function nearWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  if (typed.length < SHORTEST_SLIP || WORDS.has(typed)) return undefined;
  const found = [...WORDS].find(([known, { act }]) => leven(typed, known) === 1 && !isAlone(act));
  return found?.[0];
}
