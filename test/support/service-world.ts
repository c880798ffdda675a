import { test as base, expect } from 'vitest';
import { changesOf, type Store } from '../../src/core/store.ts';
import { DEFAULT_TIMING, type Timing } from '../../src/lookups/lookups.ts';
import { type DiagnosticsClient, diagnosticsClient } from '../../src/service/client.ts';
import { type LoginOutcome, SharedSession, type State } from '../../src/service/session.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts, Transport } from '../../src/service/transport.ts';
import { USER_ID, USER_SECRET, VENDOR } from '../emulators/diagnostics-service/account.ts';
import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { DiagnosticsServiceOptions } from '../emulators/diagnostics-service/types.ts';
import { aStore } from './embedded.ts';
import { startService } from './upstreams.ts';

type ServiceWorldOptions = {
  readonly service?: Partial<DiagnosticsServiceOptions>;
  readonly retry?: Partial<Timing['retry']>;
  readonly timeouts?: Partial<HttpTimeouts>;
  readonly concurrency?: number;
  readonly coolDownMs?: number;
  readonly baseUrl?: string;
  readonly userSecret?: string;
  readonly now?: () => number;
};

/** What one process needs to reach the emulated service. */
type ServiceWorld = {
  readonly service: DiagnosticsService;
  readonly store: Store;
  readonly transport: Transport;
  readonly session: SharedSession;
  readonly client: DiagnosticsClient;
  /** The statuses that the transport reported. */
  readonly answers: string[];
  readonly outcomes: LoginOutcome[];
  /** Another process with the same store, optionally with another configuration. */
  another(options?: ServiceWorldOptions): ServiceWorld;
};

type Open = (options?: ServiceWorldOptions) => Promise<ServiceWorld>;

/** A test of `src/service` with the emulator. It fails if the emulator counts a violation of the specification. */
export const test = base.extend<{ open: Open }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from its pattern.
  open: async ({}, use) => {
    const closing: (() => Promise<unknown>)[] = [];
    const services: DiagnosticsService[] = [];
    await use(async (options = {}) => {
      const service = await startService({ waitMs: 0, ...options.service });
      services.push(service);
      closing.push(() => service.close());
      const store = await aStore(options.now);
      closing.push(() => store.close());
      return worldOn(service, store, options, closing);
    });
    for (const close of closing.reverse()) await close();
    for (const { records } of services) {
      expect(records.breaches).toEqual([]);
      expect(records.loginPageViews).toBe(0);
    }
  },
});

function worldOn(
  service: DiagnosticsService,
  store: Store,
  options: ServiceWorldOptions,
  closing: (() => Promise<unknown>)[],
): ServiceWorld {
  const answers: string[] = [];
  const { now = Date.now, coolDownMs = 60_000, concurrency = 16 } = options;
  const retry = { ...DEFAULT_TIMING.retry, firstDelayMs: 1, longestDelayMs: 2, ...options.retry };
  const transport = new Transport({
    proxies: {},
    timeouts: { ...HTTP_TIMEOUTS, ...options.timeouts },
    concurrency,
    onAnswer: (upstream, status) => answers.push(`${upstream} ${status}`),
  });
  closing.push(() => transport.close());
  const settings = {
    baseUrl: options.baseUrl ?? service.baseUrl,
    authUrl: service.authUrl,
    loginUrl: service.loginUrl,
    vendor: VENDOR,
    userId: USER_ID,
    userSecret: options.userSecret ?? USER_SECRET,
    userAgent: 'snapshot-bot/test',
  };
  // Each world is a separate replica.
  const values = store.namespace<State>('service');
  const change = changesOf<State>(values, 'service', store.leases);
  const parts = { transport, settings, retry, now };
  const outcomes: LoginOutcome[] = [];
  const session = new SharedSession({
    ...parts,
    values: { get: (key) => values.get(key), change },
    store: { leases: store.leases, isShared: true },
    coolDownMs,
    onLogin: (outcome) => void outcomes.push(outcome),
  });
  const client = diagnosticsClient(parts, session);
  const another = (changes: ServiceWorldOptions = {}) =>
    worldOn(service, store, { ...options, ...changes }, closing);
  return { service, store, transport, session, client, answers, outcomes, another };
}
