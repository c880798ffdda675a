import type { Lookup } from '../../core/lookup.ts';
import {
  CompositionFailed,
  type Delivered,
  type Delivery,
  type LookupStatus,
} from '../../lookups/lookup-status.ts';

/** A status that was delivered: the lookup as it was before, and where the status is shown now. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
};

/**
 * Work before or after the delivery of a status. If it throws, the whole delivery is retried. A bug would only be
 * repeated: before the delivery it counts as `CompositionFailed`, after it it is only reported.
 */
export interface DeliveryHook {
  /** Adds to the status what the message should also say. */
  before?(lookup: Lookup, status: LookupStatus): Promise<LookupStatus>;
  after?(event: DeliveryEvent): Promise<void>;
}

/** A delivery with hooks, in their order before it and all at once after it. `onBug` gets the bugs of those after it. */
export function hooked(
  delivery: Delivery,
  hooks: readonly DeliveryHook[],
  onBug: (error: unknown) => void,
): Delivery {
  return {
    mayStillSee: (lookup) => delivery.mayStillSee(lookup),
    deliver: async (lookup, status, save) => {
      let extended = status;
      // Hooks add nothing to the report of a bug, which may be in one of them.
      const before = status.kind === 'broken' ? [] : hooks;
      for (const hook of before) extended = (await prepared(hook, lookup, extended)) ?? extended;
      const shown = await delivery.deliver(lookup, extended, save);
      await follow(hooks, { lookup, status: extended, shown }, onBug);
      return shown;
    },
  };
}

/** What the hooks write is written together. Each comes to its end, whatever another one throws. */
async function follow(
  hooks: readonly DeliveryHook[],
  event: DeliveryEvent,
  onBug: (error: unknown) => void,
): Promise<void> {
  const outcomes = await Promise.allSettled(hooks.map(async (hook) => hook.after?.(event)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  // The answer has been sent: a bug in a hook must not have it sent again and again.
  for (const error of errors) if (isBug(error)) onBug(error);
  const worthAnotherTry = errors.find((error) => !isBug(error));
  if (worthAnotherTry !== undefined) throw worthAnotherTry;
}

/** The status with what a hook adds. Throws what the hook throws, and `CompositionFailed` for a bug. */
async function prepared(
  hook: DeliveryHook,
  lookup: Lookup,
  status: LookupStatus,
): Promise<LookupStatus | undefined> {
  try {
    return await hook.before?.(lookup, status);
  } catch (error) {
    throw isBug(error) ? new CompositionFailed({ cause: error }) : error;
  }
}

/** True for a bug of the bot: neither Slack's client nor the store throws one of these. */
function isBug(error: unknown): boolean {
  return [CompositionFailed, TypeError, RangeError, ReferenceError].some((bug) => error instanceof bug);
}
