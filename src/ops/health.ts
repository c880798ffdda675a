/** A part of the bot that can be in trouble. */
type HealthPart = 'store' | 'slack' | 'login' | 'diagnostics service' | 'login servers';

/** One thing that is wrong now, in a sentence without secrets. */
type Reason = { readonly part: HealthPart; readonly problem: string };

/** What `/readyz` says: `reasons` may name trouble that does not keep the bot from answering a command. */
export type Readiness = { readonly ready: boolean; readonly reasons: readonly Reason[] };

/** Looks at one part; gives what is wrong with it, or undefined. May throw: then the part is in trouble. */
export type HealthCheck = {
  readonly part: HealthPart;
  /** Whether no command can be served while this is in trouble. A refused login is told to users, so it is not. */
  readonly isEssential: boolean;
  readonly problem: () => Promise<string | undefined>;
};

/** Asks every check, all at once. Does not throw. */
export async function readinessOf(checks: readonly HealthCheck[]): Promise<Readiness> {
  const found = await Promise.all(
    checks.map(async ({ part, isEssential, problem }) => {
      const text = await problem().catch((error: unknown) =>
        error instanceof Error ? error.message : 'it could not be checked',
      );
      return text === undefined ? [] : [{ part, problem: text, isEssential }];
    }),
  );
  const troubles = found.flat();
  return {
    ready: !troubles.some(({ isEssential }) => isEssential),
    reasons: troubles.map(({ part, problem }) => ({ part, problem })),
  };
}
