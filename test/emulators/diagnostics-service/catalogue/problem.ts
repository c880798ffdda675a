import type { Component, ComponentKind } from './components.ts';

const STARTS_AS_VOWEL = /^(?:[aeio]|HTTP)/;

/** The levels that the real service uses. */
export type Importance = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';

/** A kind of finding, told of any component that it suits. In its texts stand the words of `told`, in braces. */
export interface Problem {
  suits: ComponentKind;
  importance: Importance;
  solutions: 0 | 1 | 2;
  cves?: number;
  /** Whether versions with a fix are known. */
  fixed?: boolean;
  header: string;
  summary: string;
  /** Without one, the sentence that most real hits have. */
  action?: string;
  /** The blocks of its evidence. */
  evidence?: readonly string[];
  /** A line that the log of its evidence has so many times; `{n}` counts them. */
  log?: readonly [line: string, times: number];
}

/** What a problem has besides its texts. */
export function facts(
  suits: ComponentKind,
  importance: Importance,
  solutions: Problem['solutions'],
  more: Pick<Problem, 'cves' | 'fixed'> = {},
) {
  return { suits, importance, solutions, ...more };
}

/** A text as it reads of this component: `{a name}` with an article, `{Name}` and `{A name}` at the start of a sentence. */
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
