import type { Diagnostic } from '../../src/core/diagnostics.ts';

/** What shows a whole diagnostic, or searches it. */
export type Presenter = 'message' | 'details' | 'CSV' | 'text for the case' | 'search';

type Field<Value> = {
  /** Its value where the document says nothing; none where it is absent then. */
  readonly silent?: Value;
  /** Its value where the document says this. */
  readonly saying: (text: string) => Value;
  /** Who leaves it out, and why. */
  readonly leftOut?: Partial<Record<Presenter, string>>;
};

const SAID = { saying: (text: string) => text };
const TEXT = { ...SAID, silent: '' };
const LIST = { silent: [], saying: (text: string) => [text] };

/** Every field of a diagnostic: a new one stands here, and is shown, or left out for a reason. */
export const FIELDS: { readonly [Name in keyof Diagnostic]-?: Field<Diagnostic[Name]> } = {
  name: TEXT,
  otherName: { ...SAID, leftOut: { 'text for the case': 'the title says it', message: 'the title says it' } },
  match: {
    silent: 'miss',
    saying: () => 'miss',
    leftOut: { search: '“hit” and “miss” list one side' },
  },
  isMatchUnstated: { saying: () => true, leftOut: { search: '“hit” and “miss” list one side' } },
  importance: { ...TEXT, leftOut: { search: 'a level is a filter: `26808463 low`' } },
  title: TEXT,
  summary: {
    ...TEXT,
    leftOut: { message: 'only a critical hit, or one without an action, has it there' },
  },
  action: TEXT,
  output: LIST,
  solutions: {
    silent: [],
    saying: (text) => [{ url: `https://support.example.com/${text}`, id: text }],
  },
  cveIds: LIST,
  fixedIn: LIST,
};

const ENTRIES = Object.entries(FIELDS);

/** A diagnostic of which the document says nothing. */
export const SILENT = Object.fromEntries(
  ENTRIES.flatMap(([name, { silent }]) => (silent === undefined ? [] : [[name, silent]])),
) as Diagnostic;

/** A diagnostic with this text in each field. */
export function saying(text: string): Required<Diagnostic> {
  return Object.fromEntries(
    ENTRIES.map(([name, field]) => [name, field.saying(text)]),
  ) as Required<Diagnostic>;
}
