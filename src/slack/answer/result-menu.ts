import type { types } from '@slack/bolt';
import { relationOf } from '../../core/device-identity.ts';
import { type Choice, overflow } from '../block-kit/blocks.ts';
import type { ResultModel } from './result-model.ts';
import { releasesIn } from './upgrade-words.ts';
import { count, counted } from './wording.ts';

export const MENU_ACTION = 'more';
/** The entry that opens a window with all others: five entries are Slack's limit. */
export const OTHERS = 'others';
/** What that window is for, as its entry and its title say. */
export const OTHERS_ARE_FOR = 'Compare, watch, export';

/** The menu behind the three dots: every entry says what it does; the feature that does it is found by the entry's value. */
export function resultMenu(model: ResultModel): types.Overflow {
  return overflow(MENU_ACTION, [...directly(model), { label: `${OTHERS_ARE_FOR}…`, value: OTHERS }]);
}

/** What is wanted most often, at most four entries. A comparison can't be searched; of what may be two devices it can be turned round. */
function directly(model: ResultModel): Choice[] {
  const { about, answers } = model;
  const canUpgrade = releasesIn(answers).some(({ upgrades }) => upgrades !== undefined);
  const inOne = [
    { label: 'Search…', value: 'search' },
    ...(canUpgrade ? [{ label: 'What an upgrade fixes', value: 'upgrade' }] : []),
  ];
  const inTwo = isOfOneDevice(model) ? [] : [{ label: 'Swap before and after', value: 'swap' }];
  return [
    ...(about === 'changes' ? inTwo : inOne),
    { label: 'Text for the case', value: 'case' },
    { label: 'Refresh', value: 'refresh' },
  ];
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
