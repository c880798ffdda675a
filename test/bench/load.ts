import type { Slack } from '../emulators/slack/slack.ts';
import type { BenchWorld } from './bench-world.ts';
import { percentile } from './statistics.ts';

/** The text of the last answer to a command: a subject's final message, or the link to a lookup in progress. */
const ANSWER = /^answered|\d hits?\b| is already in progress/;
/** The reply that mentions everybody whose answer was such a link. */
const MENTION = / is ready: /;
/** A ready snapshot with 13 hits. */
const READY_ID = '1011';

/** `processorMs`: processor time of the subject for each answer, in milliseconds. */
type LoadResult = {
  readonly perSecond: number;
  readonly ackP99Ms: number;
  readonly processorMs: number;
};

/** The text and the person of a command, by its number. */
type Asking = (index: number) => { readonly text: string; readonly user?: string };

/**
 * Types `count` commands in `atOnce` channels in parallel, for one snapshot unless `asking` says otherwise. In each
 * channel, the next command follows the answer to the previous one. Throws on a refusal.
 */
export async function answerLoad(
  bench: BenchWorld,
  count: number,
  atOnce: number,
  asking: Asking = () => ({ text: `${READY_ID} hit` }),
): Promise<LoadResult> {
  const { slack } = bench;
  const acks: number[] = [];
  let [sent, answered] = [0, 0];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const send = async (channel: string) => {
    sent += 1;
    const { acknowledged, body, ms } = await slack.command({ ...asking(sent), channel });
    if (!acknowledged || body !== '') reject(new Error(`a command was refused: ${body}`));
    acks.push(ms);
  };
  const stop = slack.on((event) => {
    if (event.type !== 'message') return;
    const { text } = event.message;
    if (!ANSWER.test(text) || MENTION.test(text)) return;
    answered += 1;
    if (answered === count) resolve();
    else if (sent < count) send(event.message.channel).catch(reject);
  });
  const before = bench.subject.processorMs();
  const began = performance.now();
  for (const channel of channels(slack, Math.min(atOnce, count))) send(channel).catch(reject);
  await promise;
  stop();
  return {
    perSecond: count / ((performance.now() - began) / 1_000),
    ackP99Ms: percentile(acks, 0.99),
    processorMs: (bench.subject.processorMs() - before) / count,
  };
}

/** The ids of this many channels; missing ones are made. */
export function channels(slack: Slack, count: number): string[] {
  const ids = Array.from({ length: count }, (_, index) => `C0BENCH${index}`);
  for (const id of ids) if (!slack.channels.some((channel) => channel.id === id)) slack.addChannel(id);
  return ids;
}

/** Types a command every `everyMs` for `forMs`. Returns the milliseconds of each acknowledgement. */
export async function ackTimes({ slack }: BenchWorld, everyMs: number, forMs: number): Promise<number[]> {
  const acks: Promise<number>[] = [];
  const timer = setInterval(() => {
    acks.push(slack.command({ text: `${READY_ID} hit` }).then(({ ms }) => ms));
  }, everyMs);
  await new Promise((done) => setTimeout(done, forMs));
  clearInterval(timer);
  return Promise.all(acks);
}
