import { CANCEL_ACTION, TELL_ME_ACTION } from '../../answer/message-for.ts';
import { ASK_AGAIN_ACTION, HAS_ENDED } from '../../answer/notices.ts';
import { readView, readWait } from '../../blocks/action-values.ts';
import { payFor } from '../../front/accept.ts';
import type { FeatureParts, Join } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { onFirstPress } from '../../front/turns.ts';
import { destinationOf, type Use } from '../../front/use.ts';
import { notify, subscribe } from './notifier.ts';

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
  const join: Join = (lookupId, user) => subscribe(lookupId, user, parts);
  return {
    hook: (event) => notify(event, parts),
    join,
    listen: (on, context) => {
      on.click(CANCEL_ACTION, { message: 'post' }, cancel);
      on.click(TELL_ME_ACTION, { message: 'post' }, (use) => tellToo(use, join, parts));
      on.asking(ASK_AGAIN_ACTION, { message: 'post' }, async (use) => {
        const { channel_id: channel, message_ts: ts } = use.body.container ?? {};
        // Several presses, also by several people, begin one wait.
        const press = [ASK_AGAIN_ACTION, String(channel), String(ts)];
        await onFirstPress(context, press, () => askAgain(use));
      });
    },
  };
}

async function cancel(use: Use): Promise<void> {
  const { lookups } = use.context;
  const lookupId = readWait(use.value);
  const open = await lookups.find(lookupId);
  if (open === undefined) return use.tell(HAS_ENDED);
  // A private message can only be replaced through the response URL of this click.
  const { response } = destinationOf(use);
  if (use.user === open.askedBy) return lookups.cancel(lookupId, response && { response });
  await use.tell(`Only <@${open.askedBy}>, who asked for it, can cancel this.`);
}

async function tellToo(use: Use, join: Join, { now, notifyAfterMs }: FeatureParts): Promise<void> {
  const lookupId = readWait(use.value);
  const open = await use.context.lookups.find(lookupId);
  // The asker too is told that it is over.
  const outcome = open === undefined ? 'over' : await join(lookupId, use.user);
  const isAsker = outcome !== 'over' && use.user === open?.askedBy;
  const forAsker = isAsker && now() - open.acceptedAt < notifyAfterMs ? TOLD_IF_LONG : ANSWERS.joined;
  await use.tell(isAsker ? forAsker : ANSWERS[outcome]);
}

async function askAgain(use: Use): Promise<void> {
  const { show: _shown, ...asked } = readView(use.value);
  payFor(asked, use.context);
  // Of several snapshots only those are asked for that had no result.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  const destination = destinationOf(use);
  await use.context.lookups.accept({ ...asked, ...known, askedBy: use.user, destination });
}
