import { charsetOf, retryAfter } from './answers.ts';
import { decodeBody, plainLine } from './text.ts';
import type { HttpResponse } from './transport.ts';

/**
 * The snapshot is still processed: the reason or '', and the epoch milliseconds before which the service asks not to be
 * asked again, if it names a time.
 */
export type ProcessingAnswer = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly retryAt?: number;
};

/**
 * The longest wait after a 202, even if the service asks for a longer one: people wait for the result. Milliseconds.
 */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Reads a 202 (specification, 4.2). `now` is epoch milliseconds. */
export function readProcessing(answer: HttpResponse, now: number): ProcessingAnswer {
  const reason = processingReason(decodeBody(answer.body, charsetOf(answer)));
  const stated = retryAfter(answer, now);
  const retryAt = stated === undefined ? {} : { retryAt: Math.min(stated, now + LONGEST_PAUSE_MS) };
  return { kind: 'processing', reason, ...retryAt };
}

const TAGS = /<[^<>]*>/g;
/** The start or the end of an element without readable text. */
const NOT_FOR_READING = /<(\/?)(script|style|head)\b[^<>]*>/gi;
/** How much of a body is read: a reason is one sentence. */
const READ_AT_MOST = 10_000;
const LONGEST_REASON = 300;

/**
 * The reason in the body of a 202 (specification, 4.2), as one short line; '' if there is none. The body's format is
 * not specified.
 */
export function processingReason(body: string): string {
  const start = body.slice(0, READ_AT_MOST);
  const words = plainLine(readable(reasonInJson(start) ?? start).replace(TAGS, ' '));
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON - 1)}…` : words;
}

/** The text without unreadable elements; one that is never closed stays. */
function readable(html: string): string {
  const kept: string[] = [];
  let from = 0;
  let open: string | undefined;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(NOT_FOR_READING)) {
    const element = name.toLowerCase();
    if (slash === '' && open === undefined) {
      kept.push(html.slice(from, index));
      from = index;
      open = element;
    } else if (slash !== '' && open === element) {
      from = index + tag.length;
      open = undefined;
    }
  }
  return [...kept, html.slice(from)].join(' ');
}

function reasonInJson(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'string') return parsed;
    if (parsed === null || typeof parsed === 'boolean') return '';
    if (typeof parsed !== 'object') return undefined;
    const [said] = ['reason', 'message'].flatMap((name) => textsAt(parsed, name));
    if (said !== undefined) return said;
    const processing = ['processing_status', 'processing_messages'].flatMap((name) => textsAt(parsed, name));
    return processing.length > 0 ? processing.join(': ') : (textsAt(parsed, 'status')[0] ?? '');
  } catch {
    return undefined;
  }
}

/** The text of that name, or the texts of a list: as they are, or each the message of an object. */
function textsAt(parsed: object, name: string): string[] {
  return [Reflect.get(parsed, name)].flat().flatMap((value: unknown) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'message') : value;
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
}
