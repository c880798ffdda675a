import { isApp } from '../../../core/lookup.ts';
import { readView } from '../../blocks/action-values.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { ACTION } from '../../report/action-ids.ts';
import { HAS_ENDED } from '../../report/notices.ts';
import { notify, subscribe } from './notify.ts';

const ON_THE_LIST = 'You’re on the list: I’ll mention you in the thread when it’s done.';
const IS_FULL = 'The list is full: check that message later.';

/**
 * The buttons of a message that waits, or has ended without a result. "Cancel" is for the asker alone, "Tell me too" for
 * anyone, the asker as well; "Try again" and "Keep waiting" ask for the same again, and are answered in the clicked message.
 * `join` is for a person who asks there for the same.
 */
export function wait(parts: FeatureParts): Feature & Pick<ListenerContext, 'join'> {
  return {
    hook: (event) => notify(event, parts),
    join: (lookupId, user) => subscribe(lookupId, user, parts),
    listen: (on) => {
      on.click(ACTION.cancel, 'post', cancel);
      on.click(ACTION.tellMe, 'post', tellToo);
      on.asking(ACTION.askAgain, 'post', askAgain);
    },
  };
}

async function cancel({ value: lookupId, user, inPlace, context, tell }: Interaction): Promise<void> {
  const open = await context.lookups.find(lookupId);
  if (open === undefined) return tell(HAS_ENDED);
  // A lookup that an app asked for can be cancelled by everybody there.
  if (user !== open.askedBy && !isApp(open.askedBy))
    return tell(`Only <@${open.askedBy}>, who asked for it, can cancel this.`);
  // A private message can only be replaced through the response URL of this click.
  const { response } = inPlace;
  await context.lookups.cancel(lookupId, response && { response });
}

async function tellToo({ value: lookupId, user, context, tell }: Interaction): Promise<void> {
  const isListed = await context.join(lookupId, user);
  // Asked after joining: a lookup that ended meanwhile may have read its list before.
  const isOpen = (await context.lookups.find(lookupId)) !== undefined;
  await tell(!isOpen ? HAS_ENDED : isListed ? ON_THE_LIST : IS_FULL);
}

async function askAgain(press: Interaction): Promise<void> {
  const asked = readView(press.value);
  press.context.fairShare.payFor(press.user, asked);
  // Of several snapshots only those are asked for that had no result.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  await press.context.lookups.accept({ ...asked, ...known, askedBy: press.user, destination: press.inPlace });
}
