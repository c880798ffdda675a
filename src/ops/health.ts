import { errorCode } from '../core/errors.ts';
import { oneLine } from '../core/texts.ts';

const UPSTREAMS = ['diagnostics service', 'login servers'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** A part of the bot that can fail. */
type HealthPart = 'store' | 'state key' | 'audit' | 'slack' | 'slack token' | 'login' | Upstream;

/** One thing that is wrong now, as a sentence without secrets. */
type Reason = { readonly part: HealthPart; readonly problem: string };

/** The answer of `/readyz`; `reasons` may hold trouble that does not stop the bot from serving commands. */
export type Readiness = { readonly ready: boolean; readonly reasons: readonly Reason[] };

/** Checks one part; gives what is wrong with it, or undefined. Throwing counts as trouble too. */
export type HealthCheck = {
  readonly part: HealthPart;
  /** Whether this trouble stops all commands. A refused login does not: users are told of it. */
  readonly isEssential: boolean;
  readonly problem: () => Promise<string | undefined>;
};

/** What was thrown, with its cause: that tells a full disk from a Redis that is away. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it could not be checked';
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${oneLine(cause.message) || errorCode(cause)})` : message;
}

/** Runs all checks at once. Does not throw. */
export async function readinessOf(checks: readonly HealthCheck[]): Promise<Readiness> {
  const found = await Promise.all(
    checks.map(async ({ part, isEssential, problem }) => {
      const text = await problem().catch(reasonOf);
      return text === undefined ? [] : [{ part, problem: text, isEssential }];
    }),
  );
  const troubles = found.flat();
  return {
    ready: !troubles.some(({ isEssential }) => isEssential),
    reasons: troubles.map(({ part, problem }) => ({ part, problem })),
  };
}

/** A lookup that ended without a result: when (epoch ms), the code of the fault, and the reference that finds it in the log. */
type RecentFault = { readonly at: number; readonly code: string; readonly reference: string };

const MOST_FAULTS = 10;

export type RecentEvents = ReturnType<typeof recentEvents>;

/** What this process has seen of late: faults, logins, and upstreams that gave no answer. */
export function recentEvents(now: () => number) {
  const faults: RecentFault[] = [];
  const logins = new Map<string, number>();
  const silentSince = new Map<Upstream, number>();
  return {
    noteFault: (code: string, reference: string) => {
      faults.unshift({ at: now(), code, reference });
      faults.splice(MOST_FAULTS);
    },
    noteLogin: (outcome: string) => void logins.set(outcome, now()),
    noteAnswer: (upstream: Upstream, status: number | 'none') => {
      if (status !== 'none') silentSince.delete(upstream);
      else if (!silentSince.has(upstream)) silentSince.set(upstream, now());
    },
    /** The latest first, at most ten. */
    faults: (): readonly RecentFault[] => [...faults],
    /** When a login last ended so, in epoch milliseconds. */
    lastLogin: (outcome: 'succeeded' | 'refused') => logins.get(outcome),
    /** Which upstream gave no answer to its last request. None makes the bot unready: users are told what is wrong. */
    checks: () =>
      UPSTREAMS.map((part): HealthCheck => {
        const since = () => silentSince.get(part);
        const problem = (at = since()) =>
          at === undefined ? at : `no answer since ${new Date(at).toISOString()}`;
        return { part, isEssential: false, problem: async () => problem() };
      }),
  };
}
