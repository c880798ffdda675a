/** Resolves with the arguments of `take` after this many calls. */
export function collector<T>(count: number): { take: (value: T) => void; all: Promise<T[]> } {
  const values: T[] = [];
  const { promise, resolve } = Promise.withResolvers<T[]>();
  return {
    take: (value) => {
      values.push(value);
      if (values.length === count) resolve(values);
    },
    all: promise,
  };
}
