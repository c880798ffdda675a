import { createContext } from 'react';

/** What a person fills in, by action id, until the modal is sent. */
export interface Form {
  readonly values: Readonly<Record<string, string>>;
  /** What the bot found wrong, by block id. */
  readonly errors: Readonly<Record<string, string>>;
  fill(actionId: string, value: string): void;
}

/** The form of the modal on top. */
export const FormContext = createContext<Form>({ values: {}, errors: {}, fill: () => {} });
