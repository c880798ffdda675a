import type { ButtonAction } from '@slack/bolt';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { releasesIn } from '../../answer/upgrade-words.ts';
import { noticeModal } from '../../block-kit/modal.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { inWindow, type ResultUse } from '../../front/result-use.ts';
import {
  FIRST_POSITION,
  NO_FIX,
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
    const releases = releasesIn(answers);
    const first = releases.findIndex(({ upgrades }) => upgrades !== undefined);
    if (first === -1) return noticeModal(NO_FIX);
    const release = Math.min(position.release ?? first, releases.length - 1);
    return upgradeModal(
      releases[release]?.upgrades,
      { ...position, release },
      releases.map(({ label }) => label),
    );
  };
  await show(await withAnswers(opened.state, context, draw, noticeModal));
}
