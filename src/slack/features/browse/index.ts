import type { ButtonAction } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import { madeOf } from '../../../lookups/lookup-status.ts';
import { SHOW_TO_ALL_ACTION, withAttention } from '../../answer/around-message.ts';
import {
  loadingModal,
  READ_AGAIN_ACTION,
  RESULT_WINDOW,
  readSearchInput,
} from '../../answer/result-window.ts';
import { viewMessage } from '../../answer/view-message.ts';
import { readShow, readState, readView, type ViewState } from '../../block-kit/action-values.ts';
import { ResponseUrlFailed } from '../../delivery/slack-errors.ts';
import { listenToForm } from '../../front/accept.ts';
import { type ButtonClick, originOf, tellClicker } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import { withAnswers } from '../../front/reading.ts';
import type { Feature } from '../../front/result-use.ts';
import { readAlone, readerIn, showToReader } from '../../front/show-result.ts';
import { once } from '../../front/turns.ts';

/** A result that one person reads: in a window, or in a private answer that can be shown to everyone. */
export const browse: Feature = {
  menu: [
    {
      value: 'browse',
      label: () => 'Browse privately',
      may: 'read',
      choose: (use, context) => readAlone(use, use.opened.state, context),
    },
  ],
  listen: (on, context) => {
    on.click<ButtonAction>(READ_AGAIN_ACTION, { window: 'read' }, async (click) => {
      const view = readView(click.action.value);
      await showToReader(readerIn(click, context), view, context);
    });
    listenToForm(on, RESULT_WINDOW, 'read', context, (submission) => {
      const { view } = submission;
      const shown = readState(view.blocks.at(-1)?.block_id);
      const read = readSearchInput(view.state.values, shown);
      if ('errors' in read) return read;
      const state: ViewState = { ...withSearch(shown, read.search), page: 0 };
      const reader = readerIn(submission, context);
      return {
        view: loadingModal(state),
        work: () => showToReader(reader, state, context),
      };
    });
    on.click<ButtonAction>(SHOW_TO_ALL_ACTION, { message: 'post' }, async (click) => {
      await showToAll(click, context);
    });
  },
};

/** Posts what only one person sees, through the response URL, because the bot is not a member of the conversation. */
async function showToAll(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { response_url: url, user, container } = click.body;
  const { channel_id: channel, message_ts: messageTs } = container;
  const { view, threadTs = originOf(click).threadTs } = readShow(click.action.value);
  const tell = (why: string) => tellClicker(click, context, { text: why });
  await withAnswers(
    view,
    context,
    async (answers) => {
      const state = { ...view, ...madeOf(answers), page: 0, askedBy: user.id, turn: 0 };
      const drawn = viewMessage(state, answers);
      // Several presses post it once.
      await once(context, `show:${channel}:${messageTs}`, async () => {
        const message = withAttention(drawn, originOf(click).channel);
        if (!(await context.responses.show(url, message, threadTs))) throw new ResponseUrlFailed();
        context.audit({ event: 'shared', user: user.id, channel, snapshot: view.question.snapshotId });
        await context.responses.remove(url);
      });
    },
    tell,
  );
}
