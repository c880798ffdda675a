import type { ButtonAction } from '@slack/bolt';
import { HAS_ENDED, TELL_ME_ACTION } from '../../answer/waiting.ts';
import { readWait } from '../../block-kit/action-values.ts';
import { orTellClicker, tellClicker } from '../../front/click.ts';
import type { FeatureParts, Join } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { Notifier } from './notifier.ts';

const ANSWERS = {
  joined: 'You’re on the list: I’ll mention you in the thread when it’s done.',
  over: HAS_ENDED,
  full: 'The list is full: check that message later.',
};
/** The asker is mentioned in the thread at the end of a long wait only. */
const TOLD_IF_LONG = 'You’re on the list: I’ll mention you if this takes over a minute.';

/** "Tell me too" on a waiting message: for anyone. `join` is for whoever asks there for the same. */
export function tellWhenOver(parts: FeatureParts): Feature & { readonly join: Join } {
  const notifier = new Notifier(parts);
  return {
    hook: notifier,
    join: (lookupId, user) => notifier.join(lookupId, user),
    listen: (on, context) =>
      on.click<ButtonAction>(TELL_ME_ACTION, { message: 'post' }, async (click) => {
        await orTellClicker(click, context, async () => {
          const lookupId = readWait(click.action.value);
          const open = await context.lookups.find(lookupId);
          const { id } = click.body.user;
          // The asker too is told that it is over.
          const outcome = open === undefined ? 'over' : await notifier.join(lookupId, id);
          if (open === undefined || outcome === 'over' || id !== open.askedBy)
            return tellClicker(click, context, ANSWERS[outcome]);
          const isLong = parts.now() - open.acceptedAt >= parts.notifyAfterMs;
          await tellClicker(click, context, isLong ? ANSWERS.joined : TOLD_IF_LONG);
        });
      }),
  };
}
