/** What `inTime` gives when the work was not done in time. */
export const LATE = Symbol('late');

/**
 * The outcome of some work, or `LATE` when it takes longer than `ms` milliseconds. Late work goes on, but its result
 * or error is ignored. Throws what the work throws in time.
 */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
