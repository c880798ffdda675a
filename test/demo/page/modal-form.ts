import { createContext } from 'react';
import { record, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';

/** The values of the open modal until it is submitted. */
export interface Form {
  readonly values: Readonly<Record<string, string>>;
  /** The errors that the bot returned, by block id. */
  readonly errors: Readonly<Record<string, string>>;
  fill(field: string, value: string): void;
}

/** The form of the modal on top. */
export const FormContext = createContext<Form>({ values: {}, errors: {}, fill: () => {} });

/** The name of an input in the form. Slack keeps a value only while the ids of its block and element stay the same. */
export function fieldOf(block: Json): string {
  return `${string(block.block_id)} ${string(record(block.element).action_id)}`;
}

/** The values of the inputs in these blocks, by action id. */
export function filledIn(blocks: readonly Json[], values: Form['values']): Record<string, string> {
  const filled = blocks.map((block) => [string(record(block.element).action_id), values[fieldOf(block)]]);
  return Object.fromEntries(filled.filter((each): each is [string, string] => each[1] !== undefined));
}
