import type { Diagnostic } from '../../../core/diagnostics.ts';
import { actionOf } from '../words/action-words.ts';

/** A field of a diagnostic that details, exports and the text for the case have as it stands, under a label. */
type HitField = {
  readonly label: string;
  readonly text: (hit: Diagnostic) => string;
  /** Its column in a table, where each value of a list has a line of its own. */
  readonly column: string;
  readonly cell: (hit: Diagnostic) => string;
  /** Of a field that says what to do, which people read first: its label in the text for the case. */
  readonly toDo?: string;
};

/** In the order of the files. A new field of a diagnostic is shown by its line here. */
export const HIT_FIELDS: readonly HitField[] = [
  { label: 'Summary', text: ({ summary }) => summary, column: 'summary', cell: ({ summary }) => summary },
  { label: 'Action', text: actionOf, column: 'action', cell: ({ action }) => action, toDo: 'What to do' },
  {
    label: 'Also named',
    text: ({ otherName = '' }) => otherName,
    column: 'other_name',
    cell: ({ otherName = '' }) => otherName,
  },
  listField('CVEs', 'cve_ids', ({ cveIds }) => cveIds),
  { ...listField('Fixed in', 'fixed_in', ({ fixedIn }) => fixedIn), toDo: 'Fixed in' },
];

function listField(label: string, column: string, values: (hit: Diagnostic) => readonly string[]): HitField {
  return {
    label,
    text: (hit) => values(hit).join(', '),
    column,
    cell: (hit) => values(hit).join('\n'),
  };
}
