import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Question } from '../../core/lookup.ts';
import type { Ready } from '../../lookups/polls.ts';
import { readPage } from '../button-values.ts';
import { NEXT_ACTION, PREVIOUS_ACTION, resultMessage } from '../messages/result-message.ts';
import { type ButtonClick, orTellClicker, replaceClicked } from './click.ts';
import type { ListenerContext } from './context.ts';

const PAGING = new RegExp(`^(?:${PREVIOUS_ACTION}|${NEXT_ACTION})$`);

/** Previous and Next: for anyone, at any time. The page belongs to the message and is shown in it. */
export function listenToPaging(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(PAGING, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => turn(click, context));
  });
}

async function turn(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { question, page, askedBy } = readPage(click.action.value);
  const ready = await resultFor(question, click, context);
  if (ready === undefined) return;
  const message = resultMessage({ question, result: ready.result, page, askedBy, readAt: ready.at });
  await replaceClicked(click, context, message);
}

/** The result behind a message; undefined when it has to be computed anew, which the clicker is told. */
async function resultFor(
  question: Question,
  { respond }: Pick<ButtonClick, 'respond'>,
  { lookups }: ListenerContext,
): Promise<Ready | undefined> {
  const answer = await lookups.read(question);
  if (answer.kind === 'ready') return answer;
  await respond({
    response_type: 'ephemeral',
    replace_original: false,
    text: `The service is processing snapshot ${question.snapshotId} anew. Try again in a minute.`,
  });
  return undefined;
}
