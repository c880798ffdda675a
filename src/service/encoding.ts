import { header } from './headers.ts';
import type { HttpResponse } from './transport.ts';

const CHARSET = /charset\s?=\s?"?([\w:.-]+)/i;
const XML_DECLARATION = /^\s*<\?xml[^>]*>/i;
const XML_ENCODING = /encoding\s?=\s?["']([\w:.-]+)/i;
/** An XML declaration fits in here. */
const DECLARATION_BYTES = 256;

/** The encoding that the answer's header names, if it names one. */
export function charsetOf(answer: HttpResponse): string | undefined {
  return CHARSET.exec(header(answer, 'content-type') ?? '')?.[1];
}

/** A body as text: in the encoding of its byte order mark, else in the given one, else in the one that its XML declaration names, else in UTF-8. */
export function decodeBody(body: Uint8Array, charset: string | undefined): string {
  return decoder(markedIn(body) ?? charset ?? declaredIn(body) ?? 'utf-8').decode(body);
}

function markedIn([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function declaredIn(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const [declaration = ''] = XML_DECLARATION.exec(start) ?? [];
  return XML_ENCODING.exec(declaration)?.[1];
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
