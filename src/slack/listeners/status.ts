import type { SlackCommandMiddlewareArgs } from '@slack/bolt';
import { ADMIN_FORMS } from '../commands/subcommands/registry.ts';
import { NOT_FOR_YOU, statusMessage } from '../messages/status-message.ts';
import type { ListenerContext } from './context.ts';

/** Whether a command asks for the bot's status. */
export function asksForStatus(text: string): boolean {
  const asked = text.trim().toLowerCase();
  return ADMIN_FORMS.some(({ form }) => form === asked);
}

/** Answers admins privately; anyone else is told that it is not for them. */
export async function answerStatus(
  { command, ack }: SlackCommandMiddlewareArgs,
  { admins, status, now }: ListenerContext,
): Promise<void> {
  const isAdmin = admins.includes(command.user_id);
  const message = isAdmin ? statusMessage(await status(), now()) : NOT_FOR_YOU;
  await ack({ response_type: 'ephemeral', ...message });
}
