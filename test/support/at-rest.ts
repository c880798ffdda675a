import { vi } from 'vitest';
import { eventually } from './eventually.ts';

const OPEN_LOOKUPS = /^snapshot_bot_open_lookups (\d+)$/m;

/**
 * The metrics of a bot at this time or later. Requests within a tenth of a second share one text, which may be older
 * than this call, so this waits for the next one; two texts always differ in the processor time.
 */
export async function metricsOf(world: { readonly address: () => string }): Promise<string> {
  const read = async () => (await fetch(`${world.address()}/metrics`)).text();
  const shared = await read();
  return vi.waitFor(
    async () => {
      const text = await read();
      if (text === shared) throw new Error('the metrics are those of before');
      return text;
    },
    { timeout: 15_000, interval: 20 },
  );
}

/** Waits until a bot has no open lookup. */
export async function atRest(address: string, ms?: number): Promise<void> {
  const look = async () => {
    const metrics = await metricsOf({ address: () => address });
    const open = OPEN_LOOKUPS.exec(metrics)?.[1];
    if (open !== '0') throw new Error(`${open} lookups are still open`);
  };
  await eventually(look, ms);
}

/** Waits until the metrics of a bot contain this line. */
export async function measures(world: { readonly address: () => string }, line: string): Promise<void> {
  const look = async () => {
    const metrics = await metricsOf(world);
    if (!metrics.split('\n').includes(line)) throw new Error(`the metrics lack ${line}`);
  };
  await eventually(look);
}
