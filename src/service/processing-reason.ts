import { plainLine } from './text.ts';

const TAGS = /<[^>]{0,500}>/g;
const NOT_FOR_READING = /<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi;
/** A reason is a sentence; a body that is longer is read only so far. */
const READ_AT_MOST = 10_000;
const LONGEST_REASON = 300;

/** The reason that a 202 may carry (specification, 4.2), as one short line; '' when it says nothing. The body's format is not specified. */
export function processingReason(body: string): string {
  const start = body.slice(0, READ_AT_MOST);
  const words = plainLine((reasonInJson(start) ?? start).replace(NOT_FOR_READING, ' ').replace(TAGS, ' '));
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON - 1)}…` : words;
}

function reasonInJson(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'string') return parsed;
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    return ['reason', 'message', 'status'].flatMap((name) => textAt(parsed, name))[0] ?? '';
  } catch {
    return undefined;
  }
}

function textAt(parsed: object, name: string): string[] {
  const value: unknown = Reflect.get(parsed, name);
  return typeof value === 'string' ? [value] : [];
}
