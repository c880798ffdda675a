import type { Component, ComponentKind } from './components.ts';
import type { Random } from './random.ts';

const STARTS_AS_VOWEL = /^(?:[aeio]|HTTP)/;

/** The levels that the real service uses. */
export type Importance = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';

/** A kind of finding, told of any component that it suits. */
export interface Problem {
  suits: ComponentKind;
  importance: Importance;
  header: (component: Component, cve: string) => string;
  summary: (component: Component) => string;
  /** Without one, the sentence that most real hits have. */
  action?: string;
  cves?: number;
  /** Whether versions with a fix are known. */
  fixed?: boolean;
  solutions: 0 | 1 | 2;
  evidence?: (component: Component, random: Random) => string[];
}

/** The name of a component as the first word of a sentence. */
export function capitalized({ name }: Component): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The name of a component with its indefinite article. */
export function oneOf({ name }: Component): string {
  return `${STARTS_AS_VOWEL.test(name) ? 'an' : 'a'} ${name}`;
}

/** `oneOf` as the first words of a sentence. */
export function firstOneOf(component: Component): string {
  return capitalized({ ...component, name: oneOf(component) });
}
