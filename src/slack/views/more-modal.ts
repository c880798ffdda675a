import type { types } from '@slack/bolt';
import { upgradesOf } from '../../core/upgrading.ts';
import type { ResultModel } from '../answer/model/result-model.ts';
import { exportsOf, MORE_ACTION } from '../answer/parts/result-menu.ts';
import { actions, button, type Choice } from '../block-kit/blocks.ts';
import { modal } from '../block-kit/modal.ts';

/** Further actions on a result: one button a line, as phones show them anyway. */
export function moreModal(model: ResultModel): types.ModalView {
  return modal(
    { title: 'More' },
    choicesOf(model).map(({ label, value }) => actions([button(label, `${MORE_ACTION}${value}`)])),
  );
}

function choicesOf(model: ResultModel): Choice[] {
  const { comparison, answers } = model;
  const hasUpgrades = comparison === undefined && upgradesOf(answers.result) !== undefined;
  return [
    ...(hasUpgrades ? [{ label: 'What an upgrade fixes', value: 'upgrade' }] : []),
    { label: 'Text for the case', value: 'case' },
    { label: 'Browse privately', value: 'browse' },
    { label: 'Remind me to check again', value: 'remind' },
    ...exportsOf(model),
  ];
}
