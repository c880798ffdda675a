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

/** A scripted answer for one snapshot, or for the next request of any snapshot. */
export interface ScriptLine {
  readonly answer: ScriptedAnswer;
  readonly forId: string | undefined;
}

/** The state that all hosts share. */
export type ServiceState = ReturnType<typeof createState>;

/** Creates the state of a new service. */
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
    /** When each snapshot was first requested with a session. */
    firstAsked: new Map<string, number>(),
    /** When each snapshot and set last got a 202. */
    lastProcessing: new Map<string, number>(),
    /** The latest `Retry-After` of each host and each snapshot. */
    pauses: new Pauses(),
    apiScript: [] as ScriptLine[],
    loginScript: [] as ScriptLine[],
    closing,
    /** Answers wait until this resolves. */
    released: Promise.resolve(),
    /** Set when the ports are known. */
    urls: { auth: '', login: '' },
  };
}
