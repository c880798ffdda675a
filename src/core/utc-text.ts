/** `2026-11-20 09:14 UTC`, for readers whose time zone nobody knows. `at` is epoch milliseconds. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
