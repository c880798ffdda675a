import type { ButtonAction } from '@slack/bolt';
import { CANCEL_ACTION, TELL_ME_ACTION } from '../../answer/message-for.ts';
import { ASK_AGAIN_ACTION, HAS_ENDED } from '../../answer/notices.ts';
import { readView, readWait } from '../../block-kit/action-values.ts';
import { payFor } from '../../front/accept.ts';
import { type ButtonClick, destinationOf, tellClicker } from '../../front/click.ts';
import type { FeatureParts, Join, ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/result-use.ts';
import { onFirstPress } from '../../front/turns.ts';
import { Notifier } from './notifier.ts';

const ANSWERS = {
  joined: 'You’re on the list: I’ll mention you in the thread when it’s done.',
  over: HAS_ENDED,
  full: 'The list is full: check that message later.',
};
/** The asker is mentioned in the thread at the end of a long wait only. */
const TOLD_IF_LONG = 'You’re on the list: I’ll mention you if this takes over a minute.';

/**
 * The buttons of a message that waits, or has ended without a result. "Cancel" is for the asker alone, "Tell me too" for
 * anyone; "Try again" and "Keep waiting" ask for the same again, and are answered in the clicked message. `join` is for
 * whoever asks there for the same.
 */
export function wait(parts: FeatureParts): Feature & { readonly join: Join } {
  const notifier = new Notifier(parts);
  const join: Join = (lookupId, user) => notifier.join(lookupId, user);
  return {
    hook: notifier,
    join,
    listen: (on, context) => {
      on.click<ButtonAction>(CANCEL_ACTION, { message: 'post' }, (click) => cancel(click, context));
      on.click<ButtonAction>(TELL_ME_ACTION, { message: 'post' }, (click) =>
        tellToo(click, join, parts, context),
      );
      on.asking<ButtonAction>(ASK_AGAIN_ACTION, { message: 'post' }, async (click) => {
        const { channel_id: channel, message_ts: ts } = click.body.container;
        // Several presses, also by several people, begin one wait.
        const press = [ASK_AGAIN_ACTION, String(channel), String(ts)];
        await onFirstPress(context, press, () => askAgain(click, context));
        await click.ack();
      });
    },
  };
}

async function cancel(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { lookups, now } = context;
  const lookupId = readWait(click.action.value);
  const open = await lookups.find(lookupId);
  if (open === undefined) return tellClicker(click, context, { text: HAS_ENDED });
  // A private message can only be replaced through the response URL of this click.
  const { response } = destinationOf(click, now());
  if (click.body.user.id === open.askedBy) return lookups.cancel(lookupId, response && { response });
  await tellClicker(click, context, { text: `Only <@${open.askedBy}>, who asked for it, can cancel this.` });
}

async function tellToo(
  click: ButtonClick,
  join: Join,
  { now, notifyAfterMs }: FeatureParts,
  context: ListenerContext,
): Promise<void> {
  const lookupId = readWait(click.action.value);
  const open = await context.lookups.find(lookupId);
  const { id } = click.body.user;
  // The asker too is told that it is over.
  const outcome = open === undefined ? 'over' : await join(lookupId, id);
  const isAsker = outcome !== 'over' && id === open?.askedBy;
  const forAsker = isAsker && now() - open.acceptedAt < notifyAfterMs ? TOLD_IF_LONG : ANSWERS.joined;
  await tellClicker(click, context, { text: isAsker ? forAsker : ANSWERS[outcome] });
}

async function askAgain(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { lookups, now } = context;
  const { show: _shown, ...asked } = readView(click.action.value);
  payFor(asked, context);
  // Of several snapshots only those are asked for that had no result.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  const destination = destinationOf(click, now());
  await lookups.accept({ ...asked, ...known, askedBy: destination.user, destination });
}
