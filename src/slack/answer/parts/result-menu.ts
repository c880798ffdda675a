import type { types } from '@slack/bolt';
import { relationOf } from '../../../core/device-identity.ts';
import { type Choice, overflow } from '../../block-kit/blocks.ts';
import type { ResultModel } from '../model/result-model.ts';
import { count, counted } from '../words/wording.ts';

export const MENU_ACTION = 'more';
/** What the action ids of the choices behind "More…" begin with. */
export const MORE_ACTION = 'do-';

/** What can be done with a result from its menu: five entries are Slack's limit, the rest is behind "More…". */
export const MENU_CHOICES = [
  'refresh',
  'search',
  'compare',
  'swap',
  'csv',
  'markdown',
  'all-csv',
  'others',
] as const;
type MenuChoice = (typeof MENU_CHOICES)[number];

type MenuEntry = Choice & { readonly value: MenuChoice };

/** The menu behind the three dots: every choice says what it does, and of how many. A comparison can't be compared, nor searched. */
export function resultMenu(model: ResultModel): types.Overflow {
  const choices: MenuEntry[] = [
    { label: 'Refresh', value: 'refresh' },
    ...(model.comparison === undefined
      ? [
          { label: 'Search…', value: 'search' as const },
          { label: 'Compare with…', value: 'compare' as const },
        ]
      : isOfOneDevice(model)
        ? []
        : [{ label: 'Swap before and after', value: 'swap' as const }]),
    ...exportsOf(model).slice(0, 1),
    { label: 'More…', value: 'others' },
  ];
  return overflow(MENU_ACTION, choices);
}

/** Then time says which is the earlier one. */
function isOfOneDevice({ answers: { before, result } }: ResultModel): boolean {
  return before !== undefined && relationOf(before.result.device, result.device) === 'same';
}

/** Every way to export what a message shows. */
export function exportsOf({ counts: { shown, all }, noun, listed }: ResultModel): MenuEntry[] {
  const known = shown === all ? counted(all, noun) : `the ${counted(shown, noun)} shown`;
  const part = listed.length <= shown ? known : `the ${count(listed.length)} listed`;
  return [
    ...(listed.length > 0
      ? [
          { label: `Export ${part} as CSV`, value: 'csv' as const },
          { label: `Export ${part} as Markdown`, value: 'markdown' as const },
        ]
      : []),
    ...(shown < all ? [{ label: `Export all ${counted(all, noun)} as CSV`, value: 'all-csv' as const }] : []),
  ];
}
