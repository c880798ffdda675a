import type { ButtonAction, OverflowAction, types } from '@slack/bolt';
import { MENU_ACTION, OTHERS, OTHERS_ARE_FOR } from '../../answer/result-menu.ts';
import { modelOf, type ResultModel } from '../../answer/result-model.ts';
import { actions, button } from '../../block-kit/blocks.ts';
import { modal } from '../../block-kit/modal.ts';
import { stateOf } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature, MenuEntry } from '../../front/feature.ts';
import { inWindow, onMessage, type ResultUse, showDrawn } from '../../front/result-use.ts';

/** Before the value of an entry in the id of its button. */
const MORE_ACTION = 'do-';

/** The menu of a result, and the window behind its last entry, with those that have no room in it. */
export function more(entries: readonly MenuEntry[]): Feature {
  const open = ({ show, opened }: ResultUse, context: ListenerContext) =>
    showDrawn(show, opened.state, context, (answers) => moreModal(modelOf(opened.state, answers), entries));
  return {
    listen: (on, context) => {
      on.click<OverflowAction>(MENU_ACTION, { message: 'post' }, async (click) => {
        const use = onMessage(click, stateOf(click), context);
        const { value } = click.action.selected_option;
        if (value === OTHERS) return open(use, context);
        await entries.find((entry) => entry.value === value)?.choose(use, context);
      });
      for (const { value, label, may, choose } of entries) {
        if (label === undefined) continue;
        on.click<ButtonAction>(`${MORE_ACTION}${value}`, { window: may }, async (click) => {
          await choose(inWindow(click, context), context);
        });
      }
    },
  };
}

/** Further actions on a result: one button a line, as phones show them anyway. */
export function moreModal(model: ResultModel, entries: readonly MenuEntry[]): types.ModalView {
  const rows = entries.flatMap(({ value, label }) => {
    const text = label?.(model);
    return text === undefined ? [] : actions([button(text, `${MORE_ACTION}${value}`)]);
  });
  return modal({ title: OTHERS_ARE_FOR }, rows);
}
