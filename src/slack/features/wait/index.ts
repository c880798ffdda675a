import { isApp } from '../../../core/lookup.ts';
import { readView, readWait } from '../../blocks/action-values.ts';
import { payFor } from '../../front/accept.ts';
import type { FeatureParts, Join } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { onFirstPress } from '../../front/turns.ts';
import { destinationOf, type Use } from '../../front/use.ts';
import { ASK_AGAIN_ACTION } from '../../report/controls.ts';
import { HAS_ENDED } from '../../report/notices.ts';
import { CANCEL_ACTION, TELL_ME_ACTION } from '../../report/waiting.ts';
import { notify, subscribe } from './notifier.ts';

const ANSWERS = {
  joined: 'You’re on the list: I’ll mention you in the thread when it’s done.',
  over: HAS_ENDED,
  full: 'The list is full: check that message later.',
};
/** The asker is mentioned in the thread at the end of a long wait, and needs no list. */
const ASKER = 'You asked for it: I’ll mention you in the thread if this takes over a minute.';

/**
 * The buttons of a message that waits, or has ended without a result. "Cancel" is for the asker alone, "Tell me too" for
 * anyone; "Try again" and "Keep waiting" ask for the same again, and are answered in the clicked message. `join` is for a
 * person who asks there for the same.
 */
export function wait(parts: FeatureParts): Feature & { readonly join: Join } {
  const join: Join = (lookupId, user) => subscribe(lookupId, user, parts);
  return {
    hook: (event) => notify(event, parts),
    join,
    listen: (on, context) => {
      on.click(CANCEL_ACTION, { message: 'post' }, cancel);
      on.click(TELL_ME_ACTION, { message: 'post' }, (use) => tellToo(use, join));
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
  // What an app asked for anybody there can cancel.
  if (use.user === open.askedBy || isApp(open.askedBy))
    return lookups.cancel(lookupId, response && { response });
  await use.tell(`Only <@${open.askedBy}>, who asked for it, can cancel this.`);
}

async function tellToo(use: Use, join: Join): Promise<void> {
  const lookupId = readWait(use.value);
  const open = await use.context.lookups.find(lookupId);
  if (open === undefined) return use.tell(ANSWERS.over);
  if (use.user === open.askedBy) return use.tell(ASKER);
  await use.tell(ANSWERS[await join(lookupId, use.user)]);
}

async function askAgain(use: Use): Promise<void> {
  const asked = readView(use.value);
  payFor(asked, use.context);
  // Of several snapshots only those are asked for that had no result.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  const destination = destinationOf(use);
  await use.context.lookups.accept({ ...asked, ...known, askedBy: use.user, destination });
}
