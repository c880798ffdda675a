import type { types } from '@slack/bolt';
import type { Question } from '../../../core/lookup.ts';
import type { LastRead } from '../../../lookups/lookup-status.ts';
import type { ChangeCounts } from '../../../lookups/open-reminder.ts';
import { viewValue } from '../../block-kit/action-values.ts';
import { button, day, type RichElement, words } from '../../block-kit/blocks.ts';
import { count } from '../words/wording.ts';

export const NO_LAST_READ =
  'No other snapshot of this device was looked up here recently, so there is nothing to compare with.';

/** Compares with what was read of the device before. */
export const COMPARE_LAST_ACTION = 'compare-last';

/** `Last read: 26808400, Tuesday, November 17th · 2 new, 5 cleared`. "Read", not "taken": no document says when it was taken. */
export function lastReadLine(last: LastRead): RichElement[] {
  const said = changesSince(last);
  return [
    words(`Last read: ${last.question.snapshotId}, `),
    day(last.at),
    ...(said === '' ? [] : [words(` · ${said}`)]),
  ];
}

/** The same for a text without formatting, and without the day. */
export function lastReadText(last: LastRead): string {
  return [`Last read: ${last.question.snapshotId}`, changesSince(last)]
    .filter((part) => part !== '')
    .join(' · ');
}

/** What changed from there to here; its menu swaps the two. */
export function compareLastButton({ snapshotId }: Question, last: LastRead): types.Button {
  const earlier = last.question.snapshotId;
  const value = viewValue({
    question: { snapshotId, set: 'hit' },
    before: { snapshotId: earlier, set: 'hit' },
  });
  return button('Compare', COMPARE_LAST_ACTION, value, `Compare with snapshot ${earlier}`);
}

function changesSince({ found }: LastRead): string {
  if (found === undefined) return '';
  const { new: added, changed, cleared } = found;
  return changeWords({ new: added.length, changed: changed.length, cleared: cleared.length });
}

/** `2 new, 5 cleared` */
export function changeWords({ new: added, changed, cleared }: ChangeCounts): string {
  const said = [
    added > 0 ? `${count(added)} new` : '',
    cleared > 0 ? `${count(cleared)} cleared` : '',
    changed > 0 ? `${count(changed)} rated differently` : '',
  ].filter((part) => part !== '');
  return said.length === 0 ? 'nothing changed' : said.join(', ');
}
