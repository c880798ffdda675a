import { isBug } from '../core/errors.ts';
import type { Lookup } from '../core/lookup.ts';
import type { LookupStatus } from '../lookups/lookup-status.ts';
import type { Delivery } from '../lookups/step.ts';
import { slackDelivery } from './delivery/lookup-delivery.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import { type DeliveryEvent, type Feature, Listeners } from './front/listeners.ts';

type Hook = NonNullable<Feature['hook']>;
/** The parts of the context that need the delivery. */
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
      await runHooks(hooks, event, given);
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

/**
 * Settles when every hook is done, and throws the first error in one, after which the delivery is retried. A bug is only
 * logged: the answer has been sent, and must not be sent again and again.
 */
async function runHooks(hooks: readonly Hook[], event: DeliveryEvent, { logger }: Given): Promise<void> {
  const running = hooks.map(async (hook) => {
    try {
      await hook(event);
    } catch (err) {
      if (!isBug(err)) throw err;
      logger.error({ err }, 'a delivery hook failed because of a bug');
    }
  });
  const outcomes = await Promise.allSettled(running);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
