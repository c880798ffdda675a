import leven from 'leven';

/** The words of a command beside ids, and those without one. Every other word is searched for. */
const BESIDE = setOf('hit miss critical high medium low cve exploited me all compare last watch unwatch');
const ALONE = setOf('help status devices');
const PLURAL = /^(hit|miss|cve)(?:s|es)$/;

/** Courtesies, and what joins two ids: no words anywhere. */
const SILENT = setOf(
  'please pls plz thanks thank thx ta cheers hi hello hey cc fyi and or vs versus with to',
);

/** What sentences are made of: a command does not search for these words. */
const OF_SENTENCES = setOf(
  'a an the i we us my our you your it its is are was were be been am this that these those what which why how who ' +
    'when where do does did has have had can could would should will may of on in at for from by about since until ' +
    'now again today yesterday tomorrow there here not no any some only just still also please asap let lets give ' +
    'check look see show tell diagnose analyse analyze run lookup up snapshot snapshots qkview qkviews id ids',
);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** The word of a command that a word is, in lower case and its singular; undefined for every other word. */
export function commandWord(word: string): string | undefined {
  const singular = word.toLowerCase().replace(PLURAL, '$1');
  return BESIDE.has(singular) || ALONE.has(singular) ? singular : undefined;
}

/** Whether a word says nothing, in a command or elsewhere. */
export function isSilent(word: string): boolean {
  return SILENT.has(word.toLowerCase());
}

/** Whether a command searches for a word. */
export function isSought(word: string): boolean {
  return commandWord(word) === undefined && !OF_SENTENCES.has(word.toLowerCase());
}

/** In shorter words another letter makes another word. */
const SHORTEST_SLIP = 3;

/** The word beside ids that is one letter away from a word, for one that was searched for and found nowhere. */
export function nearWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  if (typed.length < SHORTEST_SLIP || commandWord(typed) !== undefined) return undefined;
  return [...BESIDE].find((known) => leven(typed, known) === 1);
}
