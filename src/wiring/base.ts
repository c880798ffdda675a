import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Audit } from '../core/audit.ts';
import type { Precedence } from '../core/precedence.ts';
import type { Store } from '../core/store.ts';
import type { Observation } from '../observe.ts';
import type { Tracing } from '../ops/tracing.ts';
import type { Timing } from '../timing.ts';

/** What all parts need. */
export type Base = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now: () => number;
  readonly timing: Timing;
  readonly store: Store;
  readonly observation: Observation;
  readonly tracing: Tracing;
  readonly audit: Audit;
  readonly precedence: Precedence;
};
