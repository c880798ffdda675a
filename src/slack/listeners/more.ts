import type { AllMiddlewareArgs, ButtonAction } from '@slack/bolt';
import { z } from 'zod';
import { EXPORT_IS_IN_THREAD } from '../answer/export-notices.ts';
import { modelOf } from '../answer/model/result-model.ts';
import { MORE_ACTION } from '../answer/parts/result-menu.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { known } from '../block-kit/carried.ts';
import { readMessageModal } from '../block-kit/message-modal.ts';
import { EXPORT_CHOICES } from '../exports/export-choice.ts';
import type { Click } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { drawn, type Interaction, messageModalOf, openOver, showIn } from '../front/message-modal.ts';
import { cachedAnswers } from '../front/reading.ts';
import { noticeModal } from '../views/details-modal.ts';
import { moreModal } from '../views/more-modal.ts';
import { browseIn } from './browse.ts';
import { showCaseText } from './case-text.ts';
import { exportResult } from './export.ts';

const EXPORTS = new RegExp(`^${MORE_ACTION}(?:${EXPORT_CHOICES.join('|')})$`);
const VIEWS = new RegExp(`^${MORE_ACTION}(?:browse|case)$`);

/** Opens "More…" first and reads the result then, unless it is cached. */
export async function openMore(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  const modal = messageModalOf(click, state, context.now());
  const cached = await cachedAnswers(state, context).catch(() => undefined);
  if (cached !== undefined) {
    await openOver(click, modal, moreModal(modelOf(state, cached)), context);
    return;
  }
  const viewId = await openOver(click, modal, noticeModal('Reading the result…'), context);
  await showIn(click.client, viewId, modal, await drawn(modal, context, moreModal), context);
}

/** The choices of "More…": each replaces the list. */
export function listenToMore(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(EXPORTS, { window: 'post' }, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const choice = known(z.enum(EXPORT_CHOICES), chosenBy(action));
    const tell = (text: string) => showIn(client, body.view?.id, opened, noticeModal(text), context);
    const interaction: Interaction = {
      origin: opened.origin,
      user: body.user.id,
      triggerId: body.trigger_id,
      tell,
    };
    if (await exportResult(interaction, opened.state, choice, context)) await tell(EXPORT_IS_IN_THREAD);
  });
  on.click<ButtonAction>(VIEWS, { window: 'read' }, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const chosen = chosenBy(action);
    if (chosen === 'browse') {
      const reader = { user: body.user.id, opened: { channel: opened.origin.channel } };
      const { snapshotId } = opened.state.question;
      context.audit({
        event: 'browsed',
        user: reader.user,
        channel: reader.opened.channel,
        snapshot: snapshotId,
      });
      await browseIn(client, body.view, opened.state, reader, context);
    } else {
      await showCaseText(body, client, 'all', context);
    }
  });
}

function chosenBy({ action_id }: ButtonAction): string {
  return action_id.slice(MORE_ACTION.length);
}
