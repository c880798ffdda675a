import { randomUUID } from 'node:crypto';
import { isFault } from '../../core/faults.ts';
import type { Actor } from '../access/actor.ts';
import { failureMessage, outdated, slackFailedMessage } from '../answer/failure-message.ts';
import { faultNotice } from '../answer/fault-message.ts';
import { type Message, richText, words } from '../block-kit/blocks.ts';
import { UnreadableValue } from '../block-kit/carried.ts';
import { NotSlack } from '../connection/slack-hosts.ts';
import { isOfSlack } from '../delivery/slack-errors.ts';
import { type Answering, answerAlone } from './answer-alone.ts';
import type { ListenerContext } from './context.ts';

/** Logs why a listener failed, and tells the person, who would wait for nothing otherwise. Does not throw. */
export async function tellFailure(
  error: unknown,
  actor: Actor,
  answering: Answering,
  context: ListenerContext,
): Promise<void> {
  const message = noted(error, actor, context);
  await answerAlone(actor, message, answering, context).catch((failed: unknown) =>
    context.logger.warn(
      { err: failed, ...about(actor) },
      'a person could not be told that a listener failed',
    ),
  );
}

/** Logs the error as what it is; gives what the person reads. */
function noted(error: unknown, actor: Actor, { logger, operator, onBug }: ListenerContext): Message {
  if (error instanceof UnreadableValue || error instanceof NotSlack) {
    logger.warn(about(actor), error.message);
    return outdated;
  }
  if (isFault(error)) {
    logger.error({ err: error, ...about(actor) }, 'a listener failed');
    const { text } = faultNotice(error, operator);
    return { text, blocks: [richText([words(text)])] };
  }
  if (isOfSlack(error)) {
    logger.error({ err: error, ...about(actor) }, 'a listener failed: Slack did not take a request');
    return slackFailedMessage(operator);
  }
  const reference = randomUUID().slice(0, 8);
  onBug(reference);
  logger.error({ err: error, reference, ...about(actor) }, 'a listener failed because of a bug');
  return failureMessage(reference, operator);
}

function about({ entryPoint, user }: Actor): { readonly entryPoint: string; readonly user: string } {
  return { entryPoint: entryPoint.kind, user };
}
