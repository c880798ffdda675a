import type { types } from '@slack/bolt';
import { type Choice, overflow } from '../blocks.ts';
import { counted } from './wording.ts';

export const MENU_ACTION = 'more';

/** What the menu of a result can do; the value of each choice. */
export const MENU_CHOICES = ['refresh', 'compare', 'csv', 'markdown', 'all-csv'] as const;
type MenuChoice = (typeof MENU_CHOICES)[number];

export type MenuView = {
  /** How many diagnostics the message shows on all its pages, and how many it could show. */
  readonly shown: number;
  readonly all: number;
  /** What they are called. */
  readonly noun: 'hit' | 'check';
  /** A comparison can't be compared. */
  readonly isComparable: boolean;
};

/** The menu behind the three dots: every choice says what it does, and of how many. */
export function resultMenu({ shown, all, noun, isComparable }: MenuView): types.Overflow {
  const part = shown === all ? counted(all, noun) : `the ${counted(shown, noun)} shown`;
  const choices: (Choice & { value: MenuChoice })[] = [
    { label: 'Refresh: read it anew', value: 'refresh' },
    ...(isComparable ? [{ label: 'Compare with…', value: 'compare' as const }] : []),
    ...(shown > 0
      ? [
          { label: `Export ${part} as CSV`, value: 'csv' as const },
          { label: `Export ${part} as Markdown`, value: 'markdown' as const },
        ]
      : []),
    ...(shown < all ? [{ label: `Export all ${counted(all, noun)} as CSV`, value: 'all-csv' as const }] : []),
  ];
  return overflow(MENU_ACTION, choices);
}
