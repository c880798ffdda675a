import { header } from './headers.ts';
import type { HttpAnswer } from './transport.ts';

const CHARSET = /charset\s*=\s*"?([\w:.-]+)/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)["']/i;
/** An XML declaration fits in here. */
const DECLARATION_BYTES = 256;

/** The body as text: in the encoding that the header or the XML declaration names, else UTF-8. */
export function decodeBody(answer: HttpAnswer): string {
  const start = answer.body.subarray(0, DECLARATION_BYTES).toString('latin1');
  const named = CHARSET.exec(header(answer, 'content-type') ?? '')?.[1] ?? XML_ENCODING.exec(start)?.[1];
  return decoder(named ?? 'utf-8').decode(answer.body);
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
