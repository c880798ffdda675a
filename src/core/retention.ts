const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long data from the service is kept. Milliseconds. */
export type Retention = {
  /** Results: for as long as a click on their message finds them without a request. */
  readonly resultMs: number;
  /** What was read of a device, which later results are compared with, and the recent lookups of a person. */
  readonly historyMs: number;
};

/** The history lasts as long as the service keeps a snapshot, because a message can be refreshed for that long. */
export const DEFAULT_RETENTION: Retention = { resultMs: 15 * MINUTE_MS, historyMs: 30 * DAY_MS };
