import { createContext } from 'react';
import { record, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';

/** What a person fills in, by field, until the modal is sent. */
export interface Form {
  readonly values: Readonly<Record<string, string>>;
  /** What the bot found wrong, by block id. */
  readonly errors: Readonly<Record<string, string>>;
  fill(field: string, value: string): void;
}

/** The form of the modal on top. */
export const FormContext = createContext<Form>({ values: {}, errors: {}, fill: () => {} });

/** The name of an input in its form: Slack keeps what was filled in only while block and element keep their ids. */
export function fieldOf(block: Json): string {
  return `${string(block.block_id)} ${string(record(block.element).action_id)}`;
}

/** What was filled into the inputs of these blocks, by action id. */
export function filledIn(blocks: readonly Json[], values: Form['values']): Record<string, string> {
  const filled = blocks.map((block) => [string(record(block.element).action_id), values[fieldOf(block)]]);
  return Object.fromEntries(filled.filter((each): each is [string, string] => each[1] !== undefined));
}
