/** A JSON object whose fields are not known yet. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object (no array, no null). */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The objects in a value that should be a list of objects. */
export function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value as a string, or an empty one. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parses JSON; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Leaves out the fields that are undefined, as JSON would. */
export function compact(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a.localeCompare(b)))
      : inner,
  );
}
