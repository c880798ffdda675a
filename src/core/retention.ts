const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long what was read is kept. Milliseconds. */
export type Retention = {
  /** Results, for clicks on their messages. */
  readonly resultMs: number;
  /** What a later reading is compared with, and the recent lookups of a person. */
  readonly historyMs: number;
};

/** History lasts as long as the service keeps a snapshot, so for as long as a message can be refreshed. */
export const DEFAULT_RETENTION: Retention = { resultMs: 15 * MINUTE_MS, historyMs: 30 * DAY_MS };
