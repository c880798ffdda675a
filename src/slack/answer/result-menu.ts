import type { types } from '@slack/bolt';
import { relationOf } from '../../core/device-identity.ts';
import { type Choice, overflow } from '../block-kit/blocks.ts';
import type { ResultModel } from './result-model.ts';
import { count, counted } from './wording.ts';

export const MENU_ACTION = 'more';
/** The entry that opens a window with all others: five entries are Slack's limit. */
export const OTHERS = 'others';

/**
 * The menu behind the three dots: every entry says what it does, and of how many; the feature that does it is found by
 * the entry's value. A comparison can't be compared, nor searched.
 */
export function resultMenu(model: ResultModel): types.Overflow {
  const inOne = [
    { label: 'Search…', value: 'search' },
    { label: 'Compare with…', value: 'compare' },
  ];
  const inTwo = isOfOneDevice(model) ? [] : [{ label: 'Swap before and after', value: 'swap' }];
  return overflow(MENU_ACTION, [
    { label: 'Refresh', value: 'refresh' },
    ...(model.comparison === undefined ? inOne : inTwo),
    ...exportsOf(model).slice(0, 1),
    { label: 'More…', value: OTHERS },
  ]);
}

/** Then time says which is the earlier one. */
function isOfOneDevice({ answers: { before, result } }: ResultModel): boolean {
  return before !== undefined && relationOf(before.result.device, result.device) === 'same';
}

/** Every way to export what a message shows. */
export function exportsOf({ counts: { shown, all }, noun, listed }: ResultModel): Choice[] {
  const known = shown === all ? counted(all, noun) : `the ${counted(shown, noun)} shown`;
  const part = listed.length <= shown ? known : `the ${count(listed.length)} listed`;
  const some = [
    { label: `Export ${part} as CSV`, value: 'csv' },
    { label: `Export ${part} as Markdown`, value: 'markdown' },
  ];
  const everything = { label: `Export all ${counted(all, noun)} as CSV`, value: 'all-csv' };
  return [...(listed.length > 0 ? some : []), ...(shown < all ? [everything] : [])];
}
