import type { Lookup } from '../core/lookup.ts';
import { CompositionFailed, type Delivery, type LookupStatus } from '../lookups/lookup-status.ts';
import { slackDelivery } from './delivery/lookup-delivery.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import { Listeners } from './front/listeners.ts';

/** What exists only once the delivery does. */
type Rest = Pick<ListenerContext, 'lookups' | 'loginHealth' | 'status'>;

/** Makes all parts that know Slack; starts nothing. */
export function createSlackSide(given: Given) {
  const parts = featureParts(given);
  const { features, ...shared } = featuresOf(parts);
  const show = slackDelivery({ ...parts, identity: parts.slack.identity });
  const hooks = features.flatMap(({ hook = [] }) => hook);
  const preview = features.find((feature) => feature.preview !== undefined)?.preview ?? show;
  const delivery: Delivery = {
    mayStillSee: ({ askedBy, destination }) => parts.access.mayStillSee(askedBy, destination.channel),
    deliver: async (lookup, known, attempt) => {
      // Lookups of pasted links are shown under these, and nothing follows on them.
      if (lookup.destination.link !== undefined) return preview(lookup, known, attempt);
      const status = await withDevice(lookup, known, parts);
      const shown = await show(lookup, status, attempt);
      const event = { lookup, status, shown, isRepeated: attempt.isRepeated };
      await allDone(
        hooks.map(async (hook) => hook(event)),
        (err) => given.logger.error({ err }, 'a delivery hook failed because of a bug'),
      );
      return shown;
    },
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

/** A status with what is known of the devices of its results. */
async function withDevice(
  lookup: Lookup,
  status: LookupStatus,
  { devices }: FeatureParts,
): Promise<LookupStatus> {
  if (status.kind === 'ready') return devices.complete(lookup, status);
  if (status.kind !== 'waiting' || status.units === undefined) return status;
  return { ...status, units: await devices.completeEach(status.units) };
}

/** Neither Slack's client nor the store throws one of these. */
const BUGS = [CompositionFailed, TypeError, RangeError, ReferenceError];

/**
 * Settles when all work has come to its end, and throws the first error in it, after which the delivery is retried. A bug
 * only goes to `onBug`: the answer has been sent, and must not be sent again and again.
 */
async function allDone(work: readonly Promise<void>[], onBug: (error: unknown) => void): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const isBug = (error: unknown) => BUGS.some((bug) => error instanceof bug);
  for (const error of errors.filter(isBug)) onBug(error);
  for (const error of errors) if (!isBug(error)) throw error;
}
