import type { ButtonAction } from '@slack/bolt';
import { upgradesOf } from '../../../core/upgrading.ts';
import { MORE_ACTION } from '../../answer/parts/result-menu.ts';
import { readMessageModal } from '../../block-kit/message-modal.ts';
import type { Feature } from '../../front/feature.ts';
import { drawn, showIn } from '../../front/message-modal.ts';
import { noticeModal } from '../../views/details-modal.ts';
import { FIRST_POSITION, readUpgradePosition, UPGRADE_ACTION, upgradeModal } from './window.ts';

const OPEN_ACTION = `${MORE_ACTION}upgrade`;
const ACTIONS = new RegExp(`^(?:${OPEN_ACTION}$|${UPGRADE_ACTION})`);

/** "What an upgrade fixes", in place of the list of "More…", its versions and its pages. */
export const upgrade: Feature = {
  listen: (on, context) =>
    on.click<ButtonAction>(ACTIONS, { window: 'read' }, async ({ ack, action, body, client }) => {
      await ack();
      const opened = readMessageModal(body.view);
      const position = action.action_id === OPEN_ACTION ? FIRST_POSITION : readUpgradePosition(action.value);
      const view = await drawn(opened, context, ({ answers }) => {
        const upgrades = upgradesOf(answers.result);
        return upgrades === undefined
          ? noticeModal('The hits of this analysis name no version that fixes them.')
          : upgradeModal(upgrades, position);
      });
      await showIn(client, body.view?.id, opened, view, context);
    }),
};
