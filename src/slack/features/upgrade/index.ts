import type { ButtonAction } from '@slack/bolt';
import { upgradesOf } from '../../../core/upgrading.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { releasesOf } from '../../answer/rows.ts';
import { noticeModal } from '../../block-kit/modal.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { inWindow, type ResultUse } from '../../front/result-use.ts';
import {
  FIRST_POSITION,
  readUpgradePosition,
  UPGRADE_ACTION,
  type UpgradePosition,
  upgradeModal,
} from './window.ts';

const ACTIONS = new RegExp(`^${UPGRADE_ACTION}`);

/** "What an upgrade fixes", its versions and its pages. */
export const upgrade: Feature = {
  menu: [
    {
      value: 'upgrade',
      may: 'read',
      choose: (use, context) => showAt(FIRST_POSITION, use, context),
    },
  ],
  listen: (on, context) =>
    on.click<ButtonAction>(ACTIONS, { window: 'read' }, async (click) => {
      await showAt(readUpgradePosition(click.action.value), inWindow(click, context), context);
    }),
};

async function showAt(
  position: UpgradePosition,
  { opened, show }: ResultUse,
  context: ListenerContext,
): Promise<void> {
  const draw = (answers: Answers) => {
    const releases = releasesOf(answers).flatMap(({ label, result }) => {
      const upgrades = upgradesOf(result);
      return upgrades === undefined ? [] : [{ label, upgrades }];
    });
    const release = Math.min(position.release ?? 0, releases.length - 1);
    const labels = releases.map(({ label }) => label);
    const { upgrades } = releases[release] ?? {};
    return upgrades === undefined
      ? noticeModal('The hits of this analysis name no version that fixes them.')
      : upgradeModal(upgrades, { ...position, release }, labels);
  };
  await show(await withAnswers(opened.state, context, draw, noticeModal));
}
