/**
 * For a property whose examples are large: to shrink a failing one to the end would take minutes. What was reached by
 * then is printed, with its seed. Milliseconds; a property that holds takes a few seconds.
 */
export const SHRINKING = { interruptAfterTimeLimit: 40_000 } as const;
