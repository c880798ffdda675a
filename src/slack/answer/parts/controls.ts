import type { types } from '@slack/bolt';
import { stateValue, type ViewState } from '../../block-kit/action-values.ts';
import { button } from '../../block-kit/blocks.ts';

export const PREVIOUS_ACTION = 'page-previous';
export const NEXT_ACTION = 'page-next';

/** What stands below a result. `number` counts from 0. */
type ControlsView = {
  readonly state: ViewState;
  readonly number: number;
  readonly pages: number;
  readonly menus: readonly (types.Button | types.StaticSelect | types.Overflow | undefined)[];
};

/** One row: pages, what is shown, and everything else. Its id carries what the message shows. */
export function controls({ state, number, pages, menus }: ControlsView): types.ActionsBlock {
  const turn = (label: string, actionId: string, page: number) =>
    button(label, actionId, undefined, `Page ${page + 1} of ${pages}`);
  return {
    type: 'actions',
    block_id: stateValue({ ...state, page: number }),
    elements: [
      ...(number > 0 ? [turn('◂', PREVIOUS_ACTION, number - 1)] : []),
      ...(number < pages - 1 ? [turn('▸', NEXT_ACTION, number + 1)] : []),
      ...menus.filter((menu) => menu !== undefined),
    ],
  };
}

/** `Page 2 of 8`, where there is more than one. `number` counts from 0. */
export function pagePosition(number: number, pages: number): string {
  return pages > 1 ? `Page ${number + 1} of ${pages}` : '';
}
