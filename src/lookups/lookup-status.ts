import type { Comparison, Named } from '../core/comparing.ts';
import type { Destination } from '../core/destination.ts';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import type { Fault } from '../core/faults.ts';
import type { Lookup, Question } from '../core/lookup.ts';
import type { Found } from '../core/searching.ts';

/** Not final: since when it is awaited, the service's reason or '', and what goes wrong at the moment. Epoch ms. */
export type Waiting = {
  readonly kind: 'waiting';
  readonly since: number;
  readonly reason: string;
  /** Whether the service has said that it processes the snapshot (202); until then it is only being asked. */
  readonly isProcessing: boolean;
  readonly trouble?: Fault;
};

/** A result, and when it was read. Epoch milliseconds. */
export type Read = { readonly result: DiagnosticsResult; readonly readAt: number };

/** A result of a device that was read; `at` is epoch milliseconds. */
export type DeviceRead = { readonly question: Question; readonly at: number };

/** What was read of a device before, and what has changed since; `found` is absent when that is not known. */
export type LastRead = DeviceRead & { readonly found: Comparison<Named> | undefined };

/** What can be told of a lookup. All but `waiting` are final. Times are epoch milliseconds. */
export type LookupStatus =
  | Waiting
  /** `found`: what a search finds in the result. `lastRead`: what was read of the same device before. */
  | (Read & {
      readonly kind: 'ready';
      readonly before?: Read;
      readonly found?: Found;
      readonly lastRead?: LastRead;
      /** What was asked for: a comparison with what was read of the device before, and nothing was. */
      readonly hasNoLast?: true;
    })
  | { readonly kind: 'timed-out'; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'cancelled' }
  /** There is a result, and the one who asked for it may not see it any more. */
  | { readonly kind: 'withheld' }
  /** `question` is the one of a comparison's two that could not be answered. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly question: Question }
  | { readonly kind: 'broken'; readonly reference: string };

/** A message could not be made: a bug of the bot, which making it again would only repeat. */
export class CompositionFailed extends Error {
  constructor(options: ErrorOptions) {
    super('a message could not be made', options);
  }
}

/** Makes a message. Throws `CompositionFailed` in place of whatever goes wrong. */
export function composing<T>(compose: () => T): T {
  try {
    return compose();
  } catch (error) {
    throw new CompositionFailed({ cause: error });
  }
}

/**
 * Where a status is shown now, and whether it is: progress may be left out when Slack is in trouble, and a final status
 * that is not shown could be delivered nowhere.
 */
export type Delivered = { readonly destination: Destination; readonly isShown: boolean };

/** Shows the status of a lookup at its destination. */
export interface Delivery {
  /** Whether the one who asked may still see a result there. Throws when that can't be found out now. */
  mayStillSee(lookup: Lookup): Promise<boolean>;

  /**
   * The first post makes the message that is edited later. `save` stores the destination before a post whose
   * confirmation may get lost. Throws `CompositionFailed`, and when a final status could not be shown and another try
   * may succeed.
   */
  deliver(
    lookup: Lookup,
    status: LookupStatus,
    save: (destination: Destination) => Promise<void>,
  ): Promise<Delivered>;
}
