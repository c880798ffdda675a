import { textOf } from './markup.ts';
import type { XmlElement } from './xml.ts';

/** The children of that name of all these elements, in the order of the document. */
export function all(parents: readonly XmlElement[], name: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const { content } of parents) {
    for (const part of content) if (typeof part !== 'string' && part.name === name) found.push(part);
  }
  return found;
}

/** The first text of that name that says something, on one line; or ''. */
export function lineOf(parents: readonly XmlElement[], name: string): string {
  for (const { content } of parents) {
    for (const part of content) {
      if (typeof part === 'string' || part.name !== name) continue;
      const text = textOf(part, 'line');
      if (text !== '') return text;
    }
  }
  return '';
}

/** Every text of that name, with its line breaks; or ''. */
export function linesOf(parents: readonly XmlElement[], name: string): string {
  return all(parents, name)
    .map((element) => textOf(element, 'lines'))
    .filter((text) => text !== '')
    .join('\n');
}
