import type { Destination, Lookup } from '../core/lookup.ts';
import type { Delivered, Delivery, LookupStatus } from '../lookups/lookup-status.ts';
import { CompositionFailed, composing } from '../lookups/lookup-status.ts';
import { Congested, type Urgency } from './delivery/rate-limited-queue.ts';
import { isRefused } from './delivery/slack-errors.ts';
import { type OutgoingUpdate, UpdateSender } from './delivery/update-sender.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import type { DeliveryEvent, Feature } from './front/feature.ts';
import { Listeners } from './front/listeners.ts';
import { messageFor } from './report/message-for.ts';

/** A status with what its message also says of the results in it, wherever they were read. */
async function completedStatus(
  lookup: Lookup,
  status: LookupStatus,
  { devices }: FeatureParts,
): Promise<LookupStatus> {
  if (status.kind === 'ready') return devices.complete(lookup, status);
  if (status.kind !== 'waiting' || status.units === undefined) return status;
  return { ...status, units: await devices.completeEach(status.units) };
}

/** What exists only once the delivery does. */
type Rest = Pick<ListenerContext, 'lookups' | 'loginHealth' | 'status'>;

/** Makes all parts that know Slack; starts nothing. */
export function createSlackSide(given: Given) {
  const parts = featureParts(given);
  const { features, ...shared } = featuresOf(parts);
  const deliver = hooked(
    slackDelivery(parts),
    (lookup, status) => completedStatus(lookup, status, parts),
    features.flatMap(({ hook = [] }) => hook),
    (error) => given.logger.error({ err: error }, 'a delivery hook failed because of a bug'),
  );
  const preview = features.find((feature) => feature.preview !== undefined)?.preview ?? deliver;
  const delivery: Delivery = {
    mayStillSee: ({ askedBy, destination }) => parts.access.mayStillSee(askedBy, destination.channel),
    // Lookups of pasted links are shown under these, and nothing follows on them.
    deliver: (lookup, ...shown) =>
      (lookup.destination.link === undefined ? deliver : preview)(lookup, ...shown),
  };
  return {
    delivery,
    devices: parts.devices,
    features,
    /** Registers every listener, behind the guard. */
    listen: (rest: Rest) => {
      const context: ListenerContext = { ...parts, ...shared, ...rest };
      const on = new Listeners(context.slack.app, context);
      for (const feature of features) feature.listen(on, context);
    },
  };
}

type Hook = NonNullable<Feature['hook']>;

/** A delivery of statuses that are completed before it, with hooks after it, all at once. `onBug` gets their bugs. */
function hooked(
  deliver: Delivery['deliver'],
  complete: (lookup: Lookup, status: LookupStatus) => Promise<LookupStatus>,
  hooks: readonly Hook[],
  onBug: (error: unknown) => void,
): Delivery['deliver'] {
  return async (lookup, known, save) => {
    const status = await complete(lookup, known).catch((error: unknown) => {
      throw isBug(error) ? new CompositionFailed({ cause: error }) : error;
    });
    const shown = await deliver(lookup, status, save);
    await follow(hooks, { lookup, status, shown }, onBug);
    return shown;
  };
}

/** What the hooks write is written together. Each comes to its end, whatever another one throws. */
async function follow(
  hooks: readonly Hook[],
  event: DeliveryEvent,
  onBug: (error: unknown) => void,
): Promise<void> {
  const outcomes = await Promise.allSettled(hooks.map(async (hook) => hook(event)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  // The answer has been sent: a bug in a hook must not have it sent again and again.
  for (const error of errors) if (isBug(error)) onBug(error);
  const worthAnotherTry = errors.find((error) => !isBug(error));
  if (worthAnotherTry !== undefined) throw worthAnotherTry;
}

/** True for a bug of the bot: neither Slack's client nor the store throws one of these. */
function isBug(error: unknown): boolean {
  return [CompositionFailed, TypeError, RangeError, ReferenceError].some((bug) => error instanceof bug);
}

/** How long after the end of a wait an answer is still retried. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

type Delivering = Pick<
  FeatureParts,
  'poster' | 'responses' | 'waitingMessages' | 'operator' | 'now' | 'logger' | 'onUndeliverable'
> & { readonly slack: Pick<FeatureParts['slack'], 'identity'> };

/** Shows the status of lookups in Slack, and keeps the list of waiting messages. */
function slackDelivery(parts: Delivering): Delivery['deliver'] {
  const { waitingMessages, operator, now } = parts;
  const sender = new UpdateSender({ ...parts, identity: parts.slack.identity });
  const register = (destination: Destination, lookup: Lookup, urgency: Urgency): Promise<void> =>
    urgency === 'final'
      ? waitingMessages.end(destination, lookup, lookup.id)
      : waitingMessages.begin(destination, lookup, lookup.id, lookup.deadline - now());
  const send = async (update: OutgoingUpdate): Promise<Delivered> => {
    const { lookup, urgency } = update;
    const { destination } = lookup;
    // Updated before the post, so that whoever sees the message waiting is pointed to it, and nobody is after its end.
    if (urgency === 'progress' || mayHaveWaited(destination)) await register(destination, lookup, urgency);
    const delivered = await sender.send(destination, update);
    const isNamed = delivered.destination.messageTs !== undefined;
    if (urgency === 'progress') await register(delivered.destination, lookup, isNamed ? 'progress' : 'final');
    return delivered;
  };
  return async (lookup, status, save) => {
    let { destination } = lookup;
    const update: OutgoingUpdate = {
      lookup,
      urgency: status.kind === 'waiting' ? 'progress' : 'final',
      save: async (changed) => {
        await save(changed);
        destination = changed;
      },
      compose: (manner) => composing(() => messageFor(lookup, status, { operator, ...manner })),
    };
    try {
      return await send(update);
    } catch (error) {
      // Nothing was sent, so that there is nothing to look for before the next try.
      if (error instanceof Congested) return { destination: lookup.destination, isShown: false };
      giveUp(error, update, parts);
      // Refused progress counts as shown, so that it is not sent again; a refused final answer does not.
      return { destination, isShown: update.urgency === 'progress' && isRefused(error) };
    }
  };
}

/** Throws the error of a failed update if a retry may succeed. Progress is never retried: the next status replaces it. */
function giveUp(
  error: unknown,
  { lookup, urgency }: OutgoingUpdate,
  { now, logger, onUndeliverable }: Delivering,
): void {
  if (error instanceof CompositionFailed) throw error;
  if (urgency === 'progress') return;
  const isOverdue = now() > lookup.deadline + GIVEN_UP_AFTER_MS;
  if (!isRefused(error) && !isOverdue) throw error;
  logger.error({ err: error, lookup: lookup.id }, 'Slack refused the answer to a lookup everywhere');
  onUndeliverable();
}

/** Whether a message of the lookup may stand there already: otherwise none is registered. */
function mayHaveWaited({ messageTs, unconfirmed }: Destination): boolean {
  return messageTs !== undefined || unconfirmed !== undefined;
}
