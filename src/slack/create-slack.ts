import { isBug } from '../core/faults.ts';
import type { Lookup } from '../core/lookup.ts';
import type { LookupStatus } from '../lookups/lookup-status.ts';
import type { Delivery } from '../lookups/step.ts';
import { slackDelivery } from './delivery/lookup-delivery.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import { type DeliveryEvent, type Feature, Listeners } from './front/listeners.ts';

type Hook = NonNullable<Feature['hook']>;
/** The parts of the context that need the delivery of answers, and so are made after it. */
type Rest = Pick<ListenerContext, 'lookups' | 'loginHealth' | 'status'>;

/** Makes everything that talks to Slack; starts nothing. */
export function createSlackSide(given: Given) {
  const parts = featureParts(given);
  const { features, ...shared } = featuresOf(parts);
  const show = slackDelivery({ ...parts, identity: parts.slack.identity });
  const hooks = features.flatMap(({ hook = [] }) => hook);
  const preview = features.find((feature) => feature.preview !== undefined)?.preview ?? show;
  const delivery: Delivery = {
    mayStillSee: ({ askedBy, destination }) => parts.access.mayStillSee(askedBy, destination.channel),
    deliver: async (lookup, known, attempt) => {
      // The lookup of a pasted link only updates the link's preview, and no hook runs.
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
    /** Registers the listeners of all features, each behind the guard. */
    listen: (rest: Rest) => {
      const context: ListenerContext = { ...parts, ...shared, ...rest };
      const on = new Listeners(context.slack.app, context);
      for (const feature of features) feature.listen(on, context);
    },
  };
}

/** Adds to a status what the bot knows of the devices: owner, accepted hits and the previous result. */
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
 * Runs all hooks, then throws the first error, so that the delivery is retried. A bug is only logged: the answer was
 * sent, and a retry would send it again.
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
