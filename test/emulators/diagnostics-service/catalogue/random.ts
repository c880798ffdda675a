/** A repeatable source of numbers. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  upTo(below: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Makes the same numbers for the same seed, on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (below: number): number => Math.floor(next() * below);
  return { upTo, pick: (values) => values[upTo(values.length)] ?? values[0] };
}
