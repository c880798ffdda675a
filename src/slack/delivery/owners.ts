import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { hostOf } from '../../core/diagnostics.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Store } from '../../core/store.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { Answers, Owner } from '../../lookups/lookup-status.ts';

/** For how long somebody owns a device. Milliseconds. */
const OWNED_MS = 30 * 24 * 3_600_000;

type About = { readonly asked: Asked; readonly result: DiagnosticsResult };

/** Who works on a device, or on a snapshot of no known device. Its functions throw `StorageFailed`. */
export function ownersOf(store: Pick<Store, 'namespace'>, history: Pick<DeviceHistory, 'nameOf'>) {
  const owners = store.namespace<Owner>('owners');
  const keyOf = async ({ asked: { question }, result }: About) => {
    const name = (await history.nameOf(result)) ?? `snapshot:${question.snapshotId}`;
    return `${name}:${hostOf(result.device)}`;
  };
  const change = async (about: About, make: (before: Owner | undefined) => Owner | undefined) => {
    const [before, after] = await owners.change(await keyOf(about), make, () => OWNED_MS);
    return { before, after };
  };
  const of = async (about: About) => owners.get(await keyOf(about));
  return {
    of,
    /** Makes somebody the owner, unless somebody is. */
    claim: (about: About, owner: Owner) => change(about, (before) => before ?? owner),
    /** Puts this owner in place of any other, or nobody. */
    replace: (about: About, owner: Owner | undefined) => change(about, () => owner),
    /** Answers with the owner of their device; of several snapshots nobody owns all. */
    complete: async <A extends Answers>(asked: Asked, answers: A): Promise<A> => {
      if (answers.units !== undefined) return answers;
      const owner = await of({ asked, result: answers.result });
      return owner === undefined ? answers : { ...answers, owner };
    },
  };
}
