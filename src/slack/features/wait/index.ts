import { type Destination, isApp, isPrivately, type Lookup, questionsOf } from '../../../core/lookup.ts';
import type { LookupStatus } from '../../../lookups/lookup-status.ts';
import { ACTION, readAgain } from '../../blocks/action-values.ts';
import { mentioning } from '../../blocks/blocks.ts';
import { isOldThread } from '../../delivery/poster.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { DeliveryEvent, Feature } from '../../front/listeners.ts';
import { findings } from '../../report/levels.ts';
import { HAS_ENDED } from '../../report/notices.ts';
import { endOf } from '../../report/waiting.ts';
import { capital, joined, subjectOf } from '../../report/words.ts';

const ON_THE_LIST = 'You’re on the list: I’ll mention you in the thread when it’s done.';
const IS_FULL = 'The list is full: check that message later.';

/**
 * The buttons of a message that waits for a result, or ended without one. Only the asker may use “Cancel”; everybody
 * may use “Tell me too”. “Try again” and “Keep waiting” repeat the request; the answer replaces the message.
 */
export function wait(parts: FeatureParts): Feature {
  return {
    hook: (event) => notify(event, parts),
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
  // Everybody may cancel the lookup of an app.
  if (user !== open.askedBy && !isApp(open.askedBy))
    return tell(`Only <@${open.askedBy}>, who asked for it, can cancel this.`);
  // An ephemeral message can only be replaced by the response URL of this click.
  const { response } = inPlace;
  await context.lookups.cancel(lookupId, response && { response });
}

async function tellToo({ value: lookupId, user, context, tell }: Interaction): Promise<void> {
  const isListed = await context.lookups.join(lookupId, user);
  await tell(isListed === undefined ? HAS_ENDED : isListed ? ON_THE_LIST : IS_FULL);
}

async function askAgain(press: Interaction): Promise<void> {
  const asked = readAgain(press.value, press.user);
  press.context.fairShare.payFor(press.user, asked);
  // For several snapshots, results that are already there are read from the cache.
  const known = asked.others === undefined ? {} : ({ mayBeCached: true } as const);
  await press.context.lookups.accept({ ...asked, ...known, askedBy: press.user, destination: press.inPlace });
}

/**
 * Notifies the people who waited. Slack does not notify about edits, so a long wait ends with a reply in the thread
 * that mentions them; a retry looks for that reply before it posts one. Throws if the reply may be missing and a retry
 * may help.
 */
async function notify(event: DeliveryEvent, parts: FeatureParts): Promise<void> {
  const { lookup, status, shown, isRepeated } = event;
  const { destination, askedBy, acceptedAt } = lookup;
  const { poster, logger, now, notifyAfterMs, store } = parts;
  const isLong = now() - acceptedAt >= notifyAfterMs;
  const threadTs = threadOf(destination, shown.destination);
  if (status.kind === 'waiting' || threadTs === undefined) return;
  if (!isLong && destination.messageTs === undefined) return;
  const joined = (await store.namespace<readonly string[]>('subscriptions').get(lookup.id)) ?? [];
  const isAskersMatter = (isLong || joined.includes(askedBy)) && status.kind !== 'cancelled';
  const others = joined.filter((user) => user !== askedBy);
  const users = isAskersMatter && !isApp(askedBy) ? [askedBy, ...others] : others;
  if (users.length === 0) return;
  const { channel } = shown.destination;
  const where = { channel, threadTs, isBroadcast: isOldThread(threadTs, now()) };
  const id = `${lookup.id}:over`;
  try {
    if (isRepeated && (await poster.find(where, id, acceptedAt, 'final')) !== undefined) return;
    await poster.post(where, mentioning(users, sentenceFor(lookup, status)), 'final', { id });
  } catch (err) {
    logger.warn({ err, lookup: lookup.id }, 'the word that ends a wait was not posted');
    if (!isRefused(err)) throw err;
  }
}

/** The thread for the reply; undefined if only one person sees the answer, or if it went elsewhere. */
function threadOf(before: Destination, now: Destination): string | undefined {
  const isElsewhere = before.channel !== now.channel;
  return isPrivately(now) || isElsewhere ? undefined : (now.threadTs ?? now.messageTs);
}

/** One sentence that says how a wait ended. */
function sentenceFor(lookup: Lookup, status: Exclude<LookupStatus, { readonly kind: 'waiting' }>): string {
  if (status.kind === 'cancelled') return endOf(lookup, status);
  if (status.kind !== 'ready') return `${endOf(lookup, status)} The message above says more.`;
  const { units = [] } = status;
  const ready = units.filter(({ kind }) => kind === 'ready').length;
  const subject = capital(subjectOf(lookup));
  if (ready < units.length) return `${subject} has results for ${ready} of ${units.length}.`;
  const one = questionsOf(lookup).length === 1 && findings(lookup.question, status);
  return `${joined(': ', `${subject} is ready`, one)}.`;
}
