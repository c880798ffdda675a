import { isRecord, parseJson, record, string } from '../json.ts';
import type { Delivery } from '../model.ts';
import type { Origin } from '../response-urls.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import type { Signature } from '../signing.ts';
import { destinationFor, slashCommand, userNamed } from './base.ts';

/** A slash command as a person types it. */
export interface CommandInput {
  readonly text: string;
  /** An id, a name, or `@ben` for the bot's DM with Ben; `#support` unless given. */
  readonly channel?: string;
  /** An id or a name; Ana unless given. */
  readonly user?: string;
  /** `/snapshot` unless given. */
  readonly command?: string;
  readonly signature?: Signature;
}

/** Types a slash command. */
export async function typeCommand(context: Context, input: CommandInput): Promise<Delivery> {
  const user = userNamed(context, input.user);
  const channel = destinationFor(context, user, input.channel ?? 'support');
  if (user.teamId !== TEAM.id)
    throw new Error(`${user.name} works for another company, where this command is not installed`);
  if (!context.scopes.has('commands')) throw new Error('The app has no slash command: no scope `commands`');
  const origin: Origin = { kind: 'command', channel: channel.id, user: user.id };
  const payload = {
    ...slashCommand(context, channel, user),
    command: input.command ?? '/snapshot',
    text: input.text,
    response_url: context.responseUrls.issue(origin),
    trigger_id: context.triggers.issue(user.id),
  };
  const delivery = await context.sender.deliver('command', payload, { signature: input.signature });
  if (delivery.acknowledged) showAcknowledgement(context, delivery, origin);
  return delivery;
}

/** Sends exactly the same payload once more. */
export async function repeat(context: Context, delivery: Delivery): Promise<Delivery> {
  const again = await context.sender.redeliver(delivery);
  if (again.kind === 'command' && again.acknowledged) {
    const { channel_id, user_id } = again.payload;
    showAcknowledgement(context, again, {
      kind: 'command',
      channel: string(channel_id),
      user: string(user_id),
    });
  }
  return again;
}

/** Does the same again, like a person who sees no reaction. A new press has a new trigger. */
export function pressAgain(context: Context, { kind, payload }: Delivery): Promise<Delivery> {
  const { user, view } = payload;
  const trigger_id = context.triggers.issue(string(record(user).id), string(record(view).id));
  return context.sender.deliver(kind, { ...payload, trigger_id });
}

/** Shows the message in an acknowledgement, if it contains one. */
function showAcknowledgement(context: Context, delivery: Delivery, origin: Origin): void {
  if (delivery.body === '') return;
  const parsed = parseJson(delivery.body);
  const body = isRecord(parsed) ? parsed : { text: delivery.body };
  context.journal.during(
    'acknowledgement',
    () => context.responseUrls.answer(origin, body),
    ({ code }) => context.journal.breach(code),
  );
}
