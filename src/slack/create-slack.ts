import type { Lookup } from '../core/lookup.ts';
import { CompositionFailed, type Delivery, type LookupStatus } from '../lookups/lookup-status.ts';
import { slackDelivery } from './delivery/lookup-delivery.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import type { DeliveryEvent, Feature } from './front/feature.ts';
import { Listeners } from './front/listeners.ts';

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
    slackDelivery({ ...parts, identity: parts.slack.identity }),
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
  return async (lookup, known, attempt) => {
    const status = await complete(lookup, known).catch((error: unknown) => {
      throw isBug(error) ? new CompositionFailed({ cause: error }) : error;
    });
    const shown = await deliver(lookup, status, attempt);
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
