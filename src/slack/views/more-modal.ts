import type { types } from '@slack/bolt';
import { actions, button, type Choice, plain } from '../block-kit/blocks.ts';
import { exportsOf, type MenuView } from '../messages/parts/result-menu.ts';

/** The prefix of each choice's action id. */
export const MORE_ACTION = 'do-';

type MoreView = MenuView & {
  /** Whether the hits name versions that fix them. */
  readonly hasUpgrades: boolean;
};

/** Further actions on a result: one button a line, as phones show them anyway. */
export function moreModal(view: MoreView): types.ModalView {
  return {
    type: 'modal',
    title: plain('More'),
    close: plain('Close'),
    blocks: choicesOf(view).map(({ label, value }) => actions([button(label, `${MORE_ACTION}${value}`)])),
  };
}

function choicesOf(view: MoreView): Choice[] {
  return [
    ...(view.hasUpgrades ? [{ label: 'What an upgrade fixes', value: 'upgrade' }] : []),
    { label: 'Text for the case', value: 'case' },
    { label: 'Browse privately', value: 'browse' },
    { label: 'Remind me to check again', value: 'remind' },
    ...exportsOf(view),
  ];
}
