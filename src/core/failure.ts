import { StorageFailed } from './faults.ts';

/** Does a piece of storage work; whatever goes wrong in it becomes `StorageFailed`. */
export async function orStorageFailed<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFailed({ cause: error });
  }
}
