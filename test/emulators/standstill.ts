import { readFileSync } from 'node:fs';

const TICK_MS = 20;
const NS_PER_MS = 1_000_000;
const US_PER_MS = 1_000;

let lostMs = 0;
let last = { at: 0, cpuMs: 0 };
let timer: NodeJS.Timeout | undefined;

/** The processor time of this thread, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / US_PER_MS;
}

/**
 * Adds the delay of a late timer, which shows that the machine was stalled. Subtracts the processor time of this
 * thread, because code that blocks the event loop also delays the timer.
 */
function tick(): void {
  const now = { at: performance.now(), cpuMs: cpuMs() };
  const computed = now.cpuMs - last.cpuMs;
  lostMs += Math.max(0, now.at - last.at - computed - 2 * TICK_MS);
  last = now;
}

function lostHere(): number {
  if (timer === undefined) {
    last = { at: performance.now(), cpuMs: cpuMs() };
    timer = setInterval(tick, TICK_MS).unref();
  } else {
    tick();
  }
  return lostMs;
}

/** How long a process was ready to run but did not run, in milliseconds; 0 if the system does not say. */
function lostBy(pid: number): number {
  try {
    const [, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return waited / NS_PER_MS;
  } catch {
    return 0;
  }
}

/**
 * Starts a measurement. The returned function gives the milliseconds since then in which the machine did not run this
 * process or one of `pids`.
 */
export function standstill(pids: Iterable<number> = []): () => number {
  const here = lostHere();
  const others = [...pids].map((pid) => ({ pid, before: lostBy(pid) }));
  return () => {
    const lost = others.map(({ pid, before }) => lostBy(pid) - before);
    return Math.max(lostHere() - here, 0, ...lost);
  };
}

/** A stopwatch that stops while the machine is stalled, so that a busy machine does not break Slack's time limits. */
export function stopwatch(pids: Iterable<number> = []): () => number {
  const begun = performance.now();
  const lost = standstill(pids);
  return () => performance.now() - begun - lost();
}

/** Calls `act` when a stopwatch shows this many milliseconds; returns a function that cancels it. */
export function actAt(ms: number, elapsed: () => number, act: () => void): () => void {
  const look = () => {
    const left = ms - elapsed();
    if (left <= 0) act();
    else waiting = setTimeout(look, Math.ceil(left));
  };
  let waiting = setTimeout(look, ms);
  return () => clearTimeout(waiting);
}
