import type { NotADocumentReason } from '../core/faults.ts';

const SPACES = /\s*/y;
const JSON_START = /[{[]/;
const DOCTYPE = /^<!DOCTYPE/i;
const HTML = /^<(?:!DOCTYPE\s+)?(?:html|head|body|title|meta|script|style|form)(?=[\s/>])/i;
/** How many characters of the root element or the DOCTYPE are looked at. */
const LOOKED_AT = 100;

/**
 * Why a body is not a diagnostics document, judged by what precedes its root element; undefined if it may be one. A
 * DOCTYPE is refused: the service sends none, and entity bombs need one.
 */
export function refusalOf(text: string): NotADocumentReason | undefined {
  const start = skipSpace(text, 0);
  if (start === text.length) return 'empty';
  if (JSON_START.test(text.charAt(start))) return 'json';
  if (text.charAt(start) !== '<') return 'not-xml';
  const root = rootStart(text, start);
  const beginning = text.slice(root, root + LOOKED_AT);
  if (HTML.test(beginning)) return 'html';
  return DOCTYPE.test(beginning) ? 'doctype' : undefined;
}

/** Where the prolog (declaration, comments, processing instructions) ends; the end of the text if it never does. */
function rootStart(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined;
    if (end === undefined) return at;
    const closed = text.indexOf(end, at + 2);
    if (closed === -1) return text.length;
    at = skipSpace(text, closed + end.length);
  }
}

function skipSpace(text: string, from: number): number {
  SPACES.lastIndex = from;
  return from + (SPACES.exec(text)?.[0].length ?? 0);
}
