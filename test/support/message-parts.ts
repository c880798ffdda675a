import { isRecord, type Json } from '../emulators/slack/json.ts';

/** Every object inside blocks, however deep, in the order in which they are shown. */
export function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** The texts of one kind of text object or element in blocks. */
export function textsOf(value: unknown, type: 'mrkdwn' | 'plain_text' | 'text'): string[] {
  return objectsIn(value)
    .filter((object) => object.type === type)
    .map(({ text }) => String(text));
}
