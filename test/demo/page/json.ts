import type { Json } from '../wire.ts';

/** The value as an object, or an empty one. */
export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of a list. */
export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** The value as a string, or an empty one. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What a text object says. */
export function labelOf(value: unknown): string {
  return string(object(value).text);
}
