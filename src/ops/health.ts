import { errorCode } from '../core/error-code.ts';
import { oneLine } from '../core/one-line.ts';

/** A part of the bot that can fail. */
type HealthPart =
  | 'store'
  | 'state key'
  | 'audit'
  | 'slack'
  | 'login'
  | 'diagnostics service'
  | 'login servers';

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
