import type { SlackCommandMiddlewareArgs } from '@slack/bolt';
import { NOT_FOR_YOU, statusMessage } from '../messages/status-message.ts';
import type { ListenerContext } from './context.ts';

const STATUS = /^status$/i;

/** Whether the text of a command asks how the bot itself is. */
export function asksForStatus(text: string): boolean {
  return STATUS.test(text.trim());
}

/** Answers an admin privately; whoever is none is told so. */
export async function answerStatus(
  { command, ack }: SlackCommandMiddlewareArgs,
  { admins, status, now }: ListenerContext,
): Promise<void> {
  const isAdmin = admins.includes(command.user_id);
  const message = isAdmin ? statusMessage(await status(), now()) : NOT_FOR_YOU;
  await ack({ response_type: 'ephemeral', ...message });
}
