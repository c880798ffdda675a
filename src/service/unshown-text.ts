import { oneLine } from '../core/texts.ts';
import { textOf } from './markup.ts';
import type { Layout } from './text.ts';
import type { XmlElement } from './xml.ts';

/** What is read of an element: all of it, its first line that says something, or these elements in it. */
type Read = 'all' | 'line' | { readonly [name: string]: Read };

const VERSIONS: Read = { version: 'all' };
const OF_A_DIAGNOSTIC: Read = {
  output: 'all',
  run_data: { match: 'line', h_importance: 'line' },
  results: {
    ...{ h_name: 'line', h_header: 'line', h_summary: 'all', h_action: 'all', h_cve_ids: 'all' },
    ...{ h_sols: { solution: 'all' }, fixedInVersions: VERSIONS },
  },
  fixedInVersions: VERSIONS,
};

/** What may read as something else than it is. */
const MARKUP = /[&<]/;

/**
 * What a diagnostic says where nothing is read to be shown, each text on lines of its own: elements that are not known,
 * attributes, and lines that are repeated, but for these, which are read.
 */
export function unshownText(diagnostic: XmlElement, lines: readonly string[]): string {
  const texts: string[] = [];
  // Nearly every text here is blank, or one of the lines as it stands.
  const isRead = (raw: string) => raw.trim() === '' || (lines.includes(raw) && !MARKUP.test(raw));
  const say = (content: XmlElement['content'], layout: Layout) => {
    if (content.every((part) => typeof part === 'string' && isRead(part))) return;
    const text = textOf({ content }, layout);
    if (text !== '' && !lines.includes(oneLine(text))) texts.push(text);
  };
  collect(diagnostic, OF_A_DIAGNOSTIC, say);
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
