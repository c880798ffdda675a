import type { Lookup } from '../core/lookup.ts';
import { type DeviceHistory, recorded, recordedEach } from '../lookups/device-history.ts';
import type { Delivery, LookupStatus } from '../lookups/lookup-status.ts';
import type { DeliveryHook } from './delivery/hooked-delivery.ts';
import { hooked } from './delivery/hooked-delivery.ts';
import { SlackDelivery } from './delivery/slack-delivery.ts';
import { UpdateSender } from './delivery/update-sender.ts';
import { featuresOf } from './features/index.ts';
import { type FeatureParts, featureParts, type Given, type ListenerContext } from './front/context.ts';
import type { Feature } from './front/feature.ts';
import { openFront } from './front/front.ts';

/**
 * Completes a result before its message is made: with the last result of its device, in whose history it is recorded,
 * wherever it was read.
 */
export function completedAnswer(history: DeviceHistory): DeliveryHook {
  return {
    before: async (lookup: Lookup, status: LookupStatus) => {
      if ('units' in status && status.units !== undefined)
        return { ...status, units: await recordedEach(status.units, history) };
      return status.kind === 'ready' ? recorded(lookup, status, history) : status;
    },
  };
}

/** What exists only once the delivery does. */
type Rest = Pick<ListenerContext, 'lookups' | 'loginHealth' | 'status'>;

/** Makes all parts that know Slack; starts nothing. `secret`: what replicas share and nobody else knows. */
export function createSlackSide(given: Given, secret: string) {
  const parts = featureParts(given, secret);
  const { features, ...shared } = featuresOf(parts);
  const hooks = [completedAnswer(parts.history), ...features.flatMap(({ hook = [] }) => hook)];
  const answers = hooked(deliveryOf(parts), hooks, (error) =>
    given.logger.error({ err: error }, 'a delivery hook failed because of a bug'),
  );
  return {
    delivery: withPreviews(answers, features),
    history: parts.history,
    features,
    listen: (rest: Rest) => listen(features, { ...parts, ...shared, ...rest }),
  };
}

/** Registers every listener, behind the front. */
export function listen(features: readonly Feature[], context: ListenerContext): void {
  const on = openFront(context.slack.app, context);
  for (const feature of features) feature.listen(on, context);
  on.complete();
}

/** Lookups of pasted links are shown under these, and nothing follows on them. */
function withPreviews(answers: Delivery, features: readonly Feature[]): Delivery {
  const preview = features.find((feature) => feature.preview !== undefined)?.preview ?? answers.deliver;
  return {
    ...answers,
    deliver: (lookup, ...shown) =>
      lookup.destination.link === undefined ? answers.deliver(lookup, ...shown) : preview(lookup, ...shown),
  };
}

function deliveryOf(parts: FeatureParts): SlackDelivery {
  const { slack, access, logger, onUndeliverable } = parts;
  return new SlackDelivery({
    ...parts,
    sender: new UpdateSender({ ...parts, identity: slack.identity }),
    mayStillSee: ({ askedBy, destination }) => access.mayStillSee(askedBy, destination.channel),
    onUndeliverable: (error, lookup) => {
      logger.error({ err: error, lookup: lookup.id }, 'Slack refused the answer to a lookup everywhere');
      onUndeliverable();
    },
  });
}
