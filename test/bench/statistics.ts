/** The value below which the share `at` (0 to 1) of the values lies. */
export function percentile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The largest distance of a value from the median, as a share of the median. */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  return Math.max(Math.max(...values) - middle, middle - Math.min(...values)) / middle;
}
