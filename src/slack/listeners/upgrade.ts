import type { ButtonAction, types } from '@slack/bolt';
import { upgradesOf } from '../../core/upgrading.ts';
import type { ResultModel } from '../answer/model/result-model.ts';
import { readMessageModal } from '../block-kit/message-modal.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { drawn, showIn } from '../front/message-modal.ts';
import { noticeModal } from '../views/details-modal.ts';
import {
  readUpgradePosition,
  UPGRADE_ACTION,
  type UpgradePosition,
  upgradeModal,
} from '../views/upgrade-modal.ts';

const ACTIONS = new RegExp(`^${UPGRADE_ACTION}`);
const FIRST: UpgradePosition = { upgrade: 0, page: 0 };

/** The versions and the pages of "What an upgrade fixes". */
export function listenToUpgrades(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(ACTIONS, { window: 'read' }, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const position = readUpgradePosition(action.value);
    const view = await drawn(opened, context, (model) => upgradeModalOf(model, position));
    await showIn(client, body.view?.id, opened, view, context);
  });
}

/** The modal, or a notice if no hit names a fixed version. */
export function upgradeModalOf({ answers }: ResultModel, position = FIRST): types.ModalView {
  const upgrades = upgradesOf(answers.result);
  if (upgrades === undefined)
    return noticeModal('The hits of this analysis name no version that fixes them.');
  return upgradeModal(upgrades, position);
}
