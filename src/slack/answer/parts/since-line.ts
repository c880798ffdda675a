import type { Comparison, Named } from '../../../core/comparing.ts';
import type { SnapshotId } from '../../../core/snapshot-id.ts';
import { moment, type RichElement, words } from '../../block-kit/blocks.ts';
import { shorten } from '../../block-kit/limits.ts';
import { count } from '../words/wording.ts';

/** What changed in a result since its message was made at `at` (epoch ms); `found` is absent when nobody knows. */
export type Since = {
  readonly snapshotId: SnapshotId;
  readonly at: number;
  readonly found: Comparison<Named> | undefined;
};

const HALF_A_DAY_MS = 43_200_000;
const MOST_NAMES = 3;
const LONGEST_NAME = 24;

/** `2 new (D000162521, H00040234), 1 cleared since 9:14 AM.`, read at `readAt` (epoch ms). `subject` says of which snapshot, where there are two. */
export function sinceLine(
  { at, found }: Since,
  readAt: number,
  noun: 'hit' | 'check',
  subject = '',
): RichElement[] {
  // Within half a day the time alone says which one is meant.
  const when = moment(at, readAt - at < HALF_A_DAY_MS ? '{time}' : '{date_short} at {time}');
  if (found === undefined) return [words(`${subject}What changed since `), when, words(' is not known.')];
  const said = changesIn(found, noun);
  return [words(`${subject}${said === '' ? 'Nothing changed' : said} since `), when, words('.')];
}

/** The same for a text without formatting. */
export function sinceText({ found }: Since, noun: 'hit' | 'check', subject = ''): string {
  const said = found === undefined ? '' : changesIn(found, noun);
  return said === '' ? '' : `${subject}${said} since the message was made`;
}

function changesIn(found: Comparison<Named>, noun: 'hit' | 'check'): string {
  const [added, gone] = noun === 'hit' ? ['new', 'cleared'] : ['more passed', 'no longer passed'];
  return [
    some(
      found.new.map(({ hit }) => hit),
      added,
    ),
    some(
      found.cleared.map(({ hit }) => hit),
      gone,
    ),
    // Of a check that passed, the importance says nothing.
    noun === 'hit'
      ? some(
          found.changed.map(({ hit }) => hit),
          'changed importance',
        )
      : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function some(hits: readonly Named[], what: string): string {
  if (hits.length === 0) return '';
  const names = hits.slice(0, MOST_NAMES).map(({ name }) => shorten(name, LONGEST_NAME));
  const more = hits.length > MOST_NAMES ? ' …' : '';
  return `${count(hits.length)} ${what} (${names.join(', ')}${more})`;
}
