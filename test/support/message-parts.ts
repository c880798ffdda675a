import { isRecord, type Json } from '../emulators/slack/json.ts';

/** All objects in blocks at any depth, in the order in which they are shown. */
export function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** The texts in blocks that belong to one kind of text object or element. */
export function textsOf(value: unknown, type: 'mrkdwn' | 'plain_text' | 'text'): string[] {
  return objectsIn(value)
    .filter((object) => object.type === type)
    .map(({ text }) => String(text));
}
