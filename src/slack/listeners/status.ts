import { NOT_FOR_YOU, statusMessage } from '../answer/status-message.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { ListenerContext } from '../front/context.ts';

/** The bot's status for an admin; anyone else is told that it is not for them. Nobody else may see either. */
export async function statusFor(user: string, { admins, status, now }: ListenerContext): Promise<Message> {
  return admins.includes(user) ? statusMessage(await status(), now()) : NOT_FOR_YOU;
}
