import type { ButtonAction } from '@slack/bolt';
import { processingNotice } from '../answer/fault-message.ts';
import { withOwners } from '../answer/parts/owners-line.ts';
import { SHOW_TO_ALL_ACTION } from '../answer/private-message.ts';
import { viewMessage } from '../answer/view-message.ts';
import { readShow } from '../block-kit/action-values.ts';
import { ResponseUrlFailed } from '../delivery/slack-errors.ts';
import { type ButtonClick, originOf, orTellClicker, tellClicker } from '../front/click.ts';
import { type ListenerContext, once } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { readAnswers } from '../front/reading.ts';

/**
 * "Show to everyone" on a private answer: posts the result through the response URL, because the bot is not a member.
 */
export function listenToShow(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(SHOW_TO_ALL_ACTION, { message: 'post' }, async (click) => {
    await click.ack();
    const { view } = readShow(click.action.value);
    await orTellClicker(click, context, () => show(click, context), view);
  });
}

async function show(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { response_url: url, user, container } = click.body;
  const { view, threadTs = originOf(click).threadTs } = readShow(click.action.value);
  const answers = await readAnswers(view, context);
  if (answers === undefined) return tellClicker(click, context, processingNotice(view));
  const { readAt, before } = answers;
  const made = { madeAt: readAt, ...(before === undefined ? {} : { beforeMadeAt: before.readAt }) };
  const drawn = viewMessage({ ...view, ...made, page: 0, askedBy: user.id, turn: 0 }, answers);
  const message = withOwners(drawn, originOf(click).channel);
  // Several presses post it once.
  await once(context, `show:${container.channel_id}:${container.message_ts}`, async () => {
    if (!(await context.responses.show(url, message, threadTs))) throw new ResponseUrlFailed();
    const { channel_id: channel } = container;
    context.audit({ event: 'shared', user: user.id, channel, snapshot: view.question.snapshotId });
    await context.responses.remove(url);
  });
}
