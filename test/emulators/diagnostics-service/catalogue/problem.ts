import type { Component, ComponentKind } from './components.ts';

const STARTS_AS_VOWEL = /^(?:[aeio]|HTTP)/;

/** The levels that the real service uses. */
export type Importance = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';

/** A kind of finding, for every component that it suits. Its texts contain the placeholders of `told` in braces. */
export interface Problem {
  suits: ComponentKind;
  importance: Importance;
  solutions: 0 | 1 | 2;
  cves?: number;
  /** Whether some versions fix the problem. */
  fixed?: boolean;
  header: string;
  summary: string;
  /** If absent, the boilerplate action of most real hits. */
  action?: string;
  /** The blocks of its evidence. */
  evidence?: readonly string[];
  /** A log line and how often the evidence repeats it; `{n}` is its number. */
  log?: readonly [line: string, times: number];
}

/** The fields of a problem other than its texts. */
export function facts(
  suits: ComponentKind,
  importance: Importance,
  solutions: Problem['solutions'],
  more: Pick<Problem, 'cves' | 'fixed'> = {},
) {
  return { suits, importance, solutions, ...more };
}

/** Fills in the placeholders: `{a name}` is the component with an article, `{Name}` and `{A name}` begin a sentence. */
export function told(text: string, { name, tag }: Component, cve = ''): string {
  const withArticle = `${STARTS_AS_VOWEL.test(name) ? 'an' : 'a'} ${name}`;
  const words: Readonly<Record<string, string>> = {
    ...{ name, tag, cve, 'a name': withArticle },
    ...{ Name: capitalized(name), 'A name': capitalized(withArticle) },
  };
  return text.replace(/\{([\w ]+)\}/g, (all, word: string) => words[word] ?? all);
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
