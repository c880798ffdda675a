import { oneLine } from '../core/texts.ts';
import { textOf } from './markup.ts';
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

/**
 * What a diagnostic says where nothing is read to be shown, each text on lines of its own: elements that are not known,
 * attributes, and lines that are repeated, but for these, which are read.
 */
export function unshownText(diagnostic: XmlElement, lines: readonly string[]): string {
  const texts: string[] = [];
  collect(diagnostic, OF_A_DIAGNOSTIC, texts);
  return texts.filter((text) => text !== '' && !lines.includes(oneLine(text))).join('\n');
}

function collect(element: XmlElement, read: Read, into: string[]): void {
  if (read === 'all') return;
  if (read === 'line') {
    into.push(textOf(element, 'line'));
    return;
  }
  for (const part of [...Object.values(element.attributes), ...element.content]) {
    if (typeof part === 'string') into.push(textOf({ content: [part] }, 'lines'));
    else collect(part, Object.hasOwn(read, part.name) ? (read[part.name] ?? {}) : {}, into);
  }
}
