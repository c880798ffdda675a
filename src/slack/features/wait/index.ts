import { isApp } from '../../../core/lookup.ts';
import { readView, readWait } from '../../blocks/action-values.ts';
import { payFor } from '../../front/accept.ts';
import type { FeatureParts, Join } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { ASK_AGAIN_ACTION } from '../../report/controls.ts';
import { HAS_ENDED } from '../../report/notices.ts';
import { CANCEL_ACTION, TELL_ME_ACTION } from '../../report/waiting.ts';
import { notify, subscribe } from './notify.ts';

const ON_THE_LIST = 'You’re on the list: I’ll mention you in the thread when it’s done.';
const IS_FULL = 'The list is full: check that message later.';

/**
 * The buttons of a message that waits, or has ended without a result. "Cancel" is for the asker alone, "Tell me too" for
 * anyone, the asker as well; "Try again" and "Keep waiting" ask for the same again, and are answered in the clicked message.
 * `join` is for a person who asks there for the same.
 */
export function wait(parts: FeatureParts): Feature & { readonly join: Join } {
  return {
    hook: (event) => notify(event, parts),
    join: (lookupId, user) => subscribe(lookupId, user, parts),
    listen: (on) => {
      on.click(CANCEL_ACTION, { message: 'post' }, cancel);
      on.click(TELL_ME_ACTION, { message: 'post' }, tellToo);
      on.asking(ASK_AGAIN_ACTION, { message: 'post' }, askAgain);
    },
  };
}

async function cancel(press: Interaction): Promise<void> {
  const { lookups } = press.context;
  const lookupId = readWait(press.value);
  const open = await lookups.find(lookupId);
  if (open === undefined) return press.tell(HAS_ENDED);
  // A private message can only be replaced through the response URL of this click.
  const { response } = press.inPlace;
  // A lookup that an app asked for can be cancelled by everybody there.
  if (press.user === open.askedBy || isApp(open.askedBy))
    return lookups.cancel(lookupId, response && { response });
  await press.tell(`Only <@${open.askedBy}>, who asked for it, can cancel this.`);
}

async function tellToo(press: Interaction): Promise<void> {
  const { join, lookups } = press.context;
  const lookupId = readWait(press.value);
  const isListed = await join(lookupId, press.user);
  // Asked afterwards: one that ended meanwhile may have read its list.
  const isOpen = (await lookups.find(lookupId)) !== undefined;
  await press.tell(!isOpen ? HAS_ENDED : isListed ? ON_THE_LIST : IS_FULL);
}

async function askAgain(press: Interaction): Promise<void> {
  const asked = readView(press.value);
  payFor(asked, press.context);
  // Of several snapshots only those are asked for that had no result.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  await press.context.lookups.accept({ ...asked, ...known, askedBy: press.user, destination: press.inPlace });
}
