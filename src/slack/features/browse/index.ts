import { withSearch } from '../../../core/lookup.ts';
import { type Answers, madeOf } from '../../../lookups/lookup-status.ts';
import { SHOW_TO_ALL_ACTION, withAttention } from '../../answer/around-message.ts';
import {
  loadingModal,
  READ_AGAIN_ACTION,
  RESULT_WINDOW,
  readSearchInput,
} from '../../answer/result-window.ts';
import { viewMessage } from '../../answer/view-message.ts';
import { readShow, readView } from '../../blocks/action-values.ts';
import { ResponseUrlFailed } from '../../delivery/slack-errors.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { readAlone, showToReader } from '../../front/show-result.ts';
import { once } from '../../front/turns.ts';
import type { Use } from '../../front/use.ts';

/** A result that one person reads: in a window, or in a private answer that can be shown to everyone. */
export const browse: Feature = {
  menu: [
    {
      value: 'browse',
      label: () => 'Browse privately',
      may: 'read',
      choose: (use) => readAlone(use, use.state),
    },
  ],
  listen: (on) => {
    on.click(READ_AGAIN_ACTION, { window: 'read' }, (use) => showToReader(use, readView(use.value)));
    on.form(RESULT_WINDOW, 'read', (use) => {
      const read = readSearchInput(use, use.state);
      if ('errors' in read) return read;
      const state = { ...withSearch(use.state, read.search), page: 0 };
      return { view: loadingModal(state), work: () => showToReader(use, state) };
    });
    on.click(SHOW_TO_ALL_ACTION, { message: 'post' }, showToAll);
  },
};

/** Posts what only one person sees, through the response URL, because the bot is not a member of the conversation. */
async function showToAll(use: Use): Promise<void> {
  const { user, origin, response, context, tell } = use;
  const { channel_id: channel, message_ts: messageTs } = use.body.container ?? {};
  const { view, threadTs = origin.threadTs } = readShow(use.value);
  const draw = async (answers: Answers) => {
    const state = { ...view, ...madeOf(answers), page: 0, askedBy: user, turn: 0 };
    const drawn = viewMessage(state, answers);
    // Several presses post it once.
    await once(context, `show:${channel}:${messageTs}`, async () => {
      const message = withAttention(drawn, origin.channel);
      if (!(await context.responses.show(response.url, message, threadTs))) throw new ResponseUrlFailed();
      use.audit('shared', view);
      await context.responses.remove(response.url);
    });
  };
  await withAnswers(view, context, draw, tell);
}
