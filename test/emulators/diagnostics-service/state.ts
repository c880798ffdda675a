import { createSessions, type Sessions } from './cookies.ts';
import { Pauses } from './pauses.ts';
import type {
  DiagnosticsServiceOptions,
  ScriptedAnswer,
  ServiceRecords,
  ServiceSwitches,
  ShelfEntry,
} from './types.ts';

/** The user that the service knows when no other is given. */
export const DEFAULT_USER_ID = 'bot@example.com';

/** The password that goes with `DEFAULT_USER_ID`. */
export const DEFAULT_USER_SECRET = 'correct horse "battery" staple';

/** The name that the media type and one cookie carry when no other is given. */
export const DEFAULT_VENDOR = 'acme';

/** Options with all defaults filled in. */
interface Settings extends Required<Omit<DiagnosticsServiceOptions, 'certificates'>> {}

/** A scripted answer, for one snapshot or for the next request of any. */
export interface ScriptLine {
  answer: ScriptedAnswer;
  forId: string | undefined;
}

/** Everything that the two hosts share. */
export interface ServiceState {
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly records: ServiceRecords;
  readonly switches: ServiceSwitches;
  readonly shelf: Map<string, ShelfEntry>;
  readonly firstAsked: Map<string, number>;
  /** By snapshot and set, the time of the last 202. */
  readonly lastProcessing: Map<string, number>;
  /** What `Retry-After` named last, for each host and each snapshot that it was about. */
  readonly pauses: Pauses;
  readonly apiScript: ScriptLine[];
  readonly loginScript: ScriptLine[];
  readonly closing: AbortSignal;
  /** Answers wait for this. */
  released: Promise<void>;
  /** Filled in as soon as the ports are known. */
  readonly urls: { auth: string; login: string };
}

/** Makes the state of a service that nobody has called yet. */
export function createState(options: DiagnosticsServiceOptions, closing: AbortSignal): ServiceState {
  const settings = withDefaults(options);
  return {
    settings,
    sessions: createSessions(settings),
    records: { logins: [], requests: [], breaches: [], loginPageViews: 0 },
    switches: {
      loginRefused: false,
      userSecret: settings.userSecret,
      loginStatus: undefined,
      apiStatus: undefined,
      latencyMs: 0,
      resetConnections: false,
    },
    shelf: new Map(),
    firstAsked: new Map(),
    lastProcessing: new Map(),
    pauses: new Pauses(),
    apiScript: [],
    loginScript: [],
    closing,
    released: Promise.resolve(),
    urls: { auth: '', login: '' },
  };
}

function withDefaults(options: DiagnosticsServiceOptions): Settings {
  return {
    vendor: options.vendor ?? DEFAULT_VENDOR,
    userId: options.userId ?? DEFAULT_USER_ID,
    userSecret: options.userSecret ?? DEFAULT_USER_SECRET,
    waitMs: options.waitMs ?? 10_000,
    cookieDomain: options.cookieDomain ?? 'localhost',
    hostname: options.hostname ?? 'localhost',
    isOneHost: options.isOneHost ?? false,
    now: options.now ?? Date.now,
  };
}
