import { oneLine } from '../core/texts.ts';
import { textOf } from './markup.ts';
import type { Layout } from './text.ts';
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
  for (const element of all(parents, name)) {
    const text = textOf(element, 'line');
    if (text !== '') return text;
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

/** What is read of an element: all of it, its first line that says something, or these elements in it. */
export type Read = 'all' | 'line' | { readonly [name: string]: Read };

/** What may read as something else than it is. */
const MARKUP = /[&<]/;

/**
 * What an element says where nothing is read to be shown, each text on lines of its own: elements that are not known,
 * attributes, and lines that are repeated, but for these, which are read.
 */
export function unreadText(element: XmlElement, read: Read, lines: readonly string[]): string {
  const texts: string[] = [];
  // Nearly every text here is blank, or one of the lines as it stands.
  const isRead = (raw: string) => raw.trim() === '' || (lines.includes(raw) && !MARKUP.test(raw));
  const say = (content: XmlElement['content'], layout: Layout) => {
    if (content.every((part) => typeof part === 'string' && isRead(part))) return;
    const text = textOf({ content }, layout);
    if (text !== '' && !lines.includes(oneLine(text))) texts.push(text);
  };
  collect(element, read, say);
  return texts.join('\n');
}

type Say = (content: XmlElement['content'], layout: Layout) => void;

function collect({ content, attributes }: XmlElement, read: Read, say: Say): void {
  if (read === 'all') return;
  if (read === 'line') {
    say(content, 'line');
    return;
  }
  for (const name in attributes) say([attributes[name] ?? ''], 'lines');
  for (const part of content) {
    if (typeof part === 'string') say([part], 'lines');
    else collect(part, Object.hasOwn(read, part.name) ? (read[part.name] ?? {}) : {}, say);
  }
}
