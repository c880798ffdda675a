import { setTimeout as delay } from 'node:timers/promises';
import { READY, SLOW } from '../support/shelved.ts';
import { type BenchWorld, openBenchWorld } from './bench-world.ts';
import { ackTimes, channels } from './load.ts';
import { atMost, type Measurement } from './row.ts';
import { percentile } from './statistics.ts';

const FIRST_ID = 7_000_000;
const AT_ONCE = 40;
const WATCHED_MS = 12_000;
const LOOP_P99 = /^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)$/m;

/** Types `count` commands, each for another snapshot that is never ready, and waits until all lookups wait. */
async function fill(bench: BenchWorld, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) bench.service.shelve(String(FIRST_ID + index), SLOW);
  let next = 0;
  const typeIn = async (channel: string) => {
    while (next < count) {
      next += 1;
      await bench.slack.command({ text: String(FIRST_ID + next - 1), channel });
    }
  };
  let waiting = 0;
  const all = Promise.withResolvers<void>();
  const stop = bench.slack.on((event) => {
    if (event.type !== 'message' || event.change !== 'posted') return;
    waiting += 1;
    if (waiting === count) all.resolve();
  });
  await Promise.all(channels(bench.slack, AT_ONCE).map(typeIn));
  await all.promise;
  stop();
}

async function loopP99Ms({ subject }: BenchWorld): Promise<number> {
  const metrics = await (await fetch(`${subject.url}/metrics`)).text();
  return Number(LOOP_P99.exec(metrics)?.[1]) * 1_000;
}

const waits = (what: string, unit: 'MB' | 'ms', must: number, goal: number, value: number) =>
  atMost('waits', `10,000 waits: ${what}`, unit, { must, goal }, value);

/** Measures the bot while ten thousand lookups wait, each for another snapshot. */
export const MANY_WAITS: Measurement = {
  names: ['waits'],
  run: async (report, profileDir) => {
    const bench = await openBenchWorld('this bot', { profileDir });
    await delay(1_000);
    const idle = bench.subject.memoryMb();
    await fill(bench, 10_000);
    report('10,000 lookups wait');
    await delay(2_000);
    // A request of /metrics resets this metric.
    await loopP99Ms(bench);
    const acks = await ackTimes(bench, 100, WATCHED_MS);
    const loop = await loopP99Ms(bench);
    const memory = bench.subject.memoryMb() - idle;
    await bench.close();
    return [
      waits('memory over a fresh start', 'MB', 120, 40, memory),
      waits('event-loop delay p99', 'ms', 50, 20, loop),
      waits('acknowledgement p99 meanwhile', 'ms', 500, 100, percentile(acks, 0.99)),
    ];
  },
};

/** Measures how late the messages of a thousand waiting lookups are edited after all became ready at once. */
export const READY_TO_EDITED: Measurement = {
  names: ['ready-to-edited'],
  run: async (_report, profileDir) => {
    const bench = await openBenchWorld('this bot', { profileDir });
    await fill(bench, 1_000);
    await delay(1_000);
    const times: number[] = [];
    const all = Promise.withResolvers<void>();
    const began = performance.now();
    bench.slack.on((event) => {
      if (event.type !== 'message' || !event.message.text.includes('1 hit')) return;
      times.push(performance.now() - began);
      if (times.length === 1_000) all.resolve();
    });
    for (let index = 0; index < 1_000; index += 1) bench.service.shelve(String(FIRST_ID + index), READY);
    await all.promise;
    await bench.close();
    const p99 = percentile(times, 0.99);
    const what = 'ready to edited with 1,000 waits, p99';
    return [atMost('ready-to-edited', what, 'ms', { must: 11_000, goal: 10_500 }, p99)];
  },
};
