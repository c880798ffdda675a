import { USER_SECRET } from './account.ts';
import { createSessions } from './cookies.ts';
import { Pauses } from './pauses.ts';
import type {
  DiagnosticsServiceOptions,
  ScriptedAnswer,
  ServiceRecords,
  ServiceSwitches,
  ShelfEntry,
} from './types.ts';

const DEFAULTS = {
  waitMs: 10_000,
  cookieDomain: 'localhost',
  hostname: 'localhost',
  isOneHost: false,
  now: Date.now,
};

/** A scripted answer, for one snapshot or for the next request of any. */
export interface ScriptLine {
  readonly answer: ScriptedAnswer;
  readonly forId: string | undefined;
}

/** Everything that the hosts share. */
export type ServiceState = ReturnType<typeof createState>;

/** Makes the state of a service that nobody has called yet. */
export function createState(options: DiagnosticsServiceOptions, closing: AbortSignal) {
  const settings = { ...DEFAULTS, ...options };
  const records: ServiceRecords = { logins: [], requests: [], breaches: [], loginPageViews: 0 };
  const switches: ServiceSwitches = {
    loginRefused: false,
    userSecret: USER_SECRET,
    loginStatus: undefined,
    apiStatus: undefined,
    latencyMs: 0,
    resetConnections: false,
  };
  return {
    settings,
    records,
    switches,
    sessions: createSessions(settings),
    shelf: new Map<string, ShelfEntry>(),
    /** By snapshot, the time of the first request that had a session. */
    firstAsked: new Map<string, number>(),
    /** By snapshot and set, the time of the last 202. */
    lastProcessing: new Map<string, number>(),
    /** What `Retry-After` named last, for each host and each snapshot that it was about. */
    pauses: new Pauses(),
    apiScript: [] as ScriptLine[],
    loginScript: [] as ScriptLine[],
    closing,
    /** Answers wait for this. */
    released: Promise.resolve(),
    /** Filled in as soon as the ports are known. */
    urls: { auth: '', login: '' },
  };
}
