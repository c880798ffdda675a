/**
 * A clock for how long things last: epoch milliseconds like those of `now`, but where `now` goes back, it goes on. It
 * then stays ahead of `now` by as much. `notBefore` is the last time that an earlier process knew, so that its times
 * are not further ahead than they were. For what people read, and for dates that they choose, use `now` itself.
 */
export function steadyClock(now: () => number, notBefore = 0): () => number {
  let last = { wall: now(), at: performance.now() };
  let aheadMs = Math.max(0, notBefore - last.wall);
  return () => {
    const present = { wall: now(), at: performance.now() };
    if (present.wall < last.wall) aheadMs += last.wall - present.wall + (present.at - last.at);
    last = present;
    return present.wall + aheadMs;
  };
}

const WATCH_MS = 1_000;

/** Calls `then` within a second after the machine's clock went back by more than that; gives what ends it. */
export function whenClockGoesBack(then: () => void): () => void {
  const offset = () => Date.now() - performance.now();
  let known = offset();
  const timer = setInterval(() => {
    const present = offset();
    if (present < known - WATCH_MS) then();
    known = present;
  }, WATCH_MS);
  timer.unref();
  return () => clearInterval(timer);
}
