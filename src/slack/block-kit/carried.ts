import type { z } from 'zod';

/** A button, a menu or a modal carries a value that this version of the bot cannot read. The message holds none of it. */
export class UnreadableValue extends Error {
  constructor() {
    super('refused a value that this version of the bot cannot have written');
  }
}

/** Reads the JSON that a button, a block or a modal carries. Throws `UnreadableValue`. */
export function readCarried<T>(shape: z.ZodType<T>, text: string | undefined): T {
  return known(shape, parsed(text ?? ''));
}

/** A value that has this shape. Throws `UnreadableValue`. */
export function known<T>(shape: z.ZodType<T>, value: unknown): T {
  const read = shape.safeParse(value);
  if (!read.success) throw new UnreadableValue();
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableValue();
  }
}
