/** The innermost code of an error, such as ENOTFOUND: what the network said, not what wrapped it. Else its name. */
export function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return 'unknown';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return errorCode(inner, depth + 1);
  // Its code is a number that means nothing to people.
  if (error.name === 'TimeoutError') return 'timeout';
  return 'code' in error ? String(error.code) : error.name;
}
