import { argv, exit, stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { simultaneousLogins } from '../chaos/records.ts';
import type { Typed } from '../chaos/storm.ts';
import { surplus, unanswered } from '../chaos/verdict.ts';
import { asHit, catalogue } from '../emulators/diagnostics-service/catalogue/checks.ts';
import { seededRandom } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { Fault } from '../emulators/slack/model.ts';
import { type BenchWorld, openBenchWorld } from './bench-world.ts';
import { channels } from './load.ts';
import { percentile } from './statistics.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    /** Commands a second. */
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    redis: { type: 'boolean', default: false },
    /** Without faults of Slack and of the service. */
    calm: { type: 'boolean', default: false },
  },
});
const rate = Number(values.rate);
const commands = rate * Number(values.seconds);

const PEOPLE = 200;
const SNAPSHOTS = 60;
const FIRST_ID = 70_000;
const HITS = catalogue(13).map(asHit);
/** Half of the snapshots are processed for this time before they are ready. */
const PROCESSING = { forMs: 20_000, reasons: ['queued', 'unpacking'] };
const ANEW_MS = 25_000;
/** How long the bot may take for the remaining answers after the last command. */
const ANSWERED_WITHIN_MS = 600_000;
/** The pause between two checks for open commands, in multiples of the time that a check takes. */
const LOOKING_SHARE = 10;
const AT_REST_MS = 30_000;
const MOST_SHOWN = 20;
const random = seededRandom(1);

function isOneIn(share: number): boolean {
  return random.upTo(1_000) < share * 1_000;
}

/**
 * A tenth of Slack's answers are 429, a twentieth 502, and a fiftieth are lost, half of those after the call took
 * effect.
 */
function slackFault(): Fault | undefined {
  if (isOneIn(0.1)) return { status: 429, retryAfter: 1 };
  if (isOneIn(0.05)) return { status: 502 };
  if (isOneIn(0.02)) return isOneIn(0.5) ? 'reset' : 'lost-response';
  return undefined;
}

function disturb({ slack, service }: BenchWorld): void {
  slack.on((event) => {
    if (event.type !== 'call' || event.phase !== 'received') return;
    const fault = slackFault();
    if (fault !== undefined) slack.failNext(event.call.method, fault);
  });
  service.nextAnswers(
    Array.from({ length: commands * 2 }, () => {
      if (isOneIn(0.05)) return { status: 502 };
      return isOneIn(0.02) ? 'reset' : 'ordinary';
    }),
  );
}

function shelve({ service }: BenchWorld): void {
  for (let index = 0; index < SNAPSHOTS; index += 1) {
    const id = String(FIRST_ID + index);
    const document = { diagnostics: HITS, system: { chassisSerialNumber: `chs${id}` } };
    const entry = { title: 'crowd', purpose: 'one of many', document };
    service.shelve(id, index % 2 === 0 ? entry : { ...entry, processing: PROCESSING });
    setInterval(() => service.restartProcessing(id), ANEW_MS + index).unref();
  }
}

/** Types the commands at their times. No two have the same snapshot and channel. */
async function type({ slack }: BenchWorld): Promise<Typed[]> {
  const places = channels(slack, Math.ceil(commands / SNAPSHOTS));
  const typed: Promise<Typed>[] = [];
  const began = performance.now();
  for (let index = 0; index < commands; index += 1) {
    await pause(Math.max(0, began + (index * 1_000) / rate - performance.now()));
    const snapshotId = String(FIRST_ID + (index % SNAPSHOTS));
    const channel = places[Math.floor(index / SNAPSHOTS)] ?? '';
    const asked = { snapshotId, channel, user: `U0MORE${index % PEOPLE}`, isMention: false };
    const sent = slack.command({ text: snapshotId, channel, user: asked.user });
    typed.push(sent.then((delivery) => ({ ...asked, deliveries: [delivery] })));
  }
  return Promise.all(typed);
}

/**
 * Waits until every accepted command has its final message, or until the time limit. Returns the seconds that this
 * took.
 */
async function answered(bench: BenchWorld, typed: readonly Typed[]): Promise<number> {
  const began = performance.now();
  let open = typed;
  while (open.length > 0 && performance.now() - began < ANSWERED_WITHIN_MS) {
    const looked = performance.now();
    open = unanswered(bench, open);
    // Each check of thousands of commands delays the emulators, on a busy machine so much that calls to them fail.
    await pause(Math.max(1_000, LOOKING_SHARE * (performance.now() - looked)));
  }
  return (performance.now() - began) / 1_000;
}

/** A sentence for each fault of the bot in this run. */
function broken(bench: BenchWorld, typed: readonly Typed[]): string[] {
  const { slack, service } = bench;
  return [
    ...unanswered(bench, typed).map(
      ({ snapshotId, channel }) => `${snapshotId} in ${channel}: no final message`,
    ),
    ...typed.flatMap((one) => surplus(bench, one)),
    ...simultaneousLogins(service.records.logins),
    ...service.records.breaches,
    ...slack.records.breaches,
  ];
}

/** The subject's memory: resident, and in use after a garbage collection. */
async function memoryOf({ subject }: BenchWorld): Promise<string> {
  const resident = subject.memoryMb();
  return `${resident.toFixed(0)} MB (${(await subject.retainedMb()).toFixed(0)} MB in use)`;
}

/** Types all commands and waits for the answers; returns a summary. */
async function measured(bench: BenchWorld): Promise<{ typed: readonly Typed[]; said: readonly string[] }> {
  const { subject } = bench;
  const idle = await memoryOf(bench);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, subject.memoryMb());
  }, 1_000);
  const before = { bot: subject.processorMs(), own: process.cpuUsage(), at: performance.now() };
  const typed = await type(bench);
  const ms = performance.now() - before.at;
  const own = process.cpuUsage(before.own);
  const bot = subject.processorMs() - before.bot;
  const open = unanswered(bench, typed).length;
  const drainS = await answered(bench, typed);
  await pause(AT_REST_MS);
  clearInterval(watch);
  const share = (spentMs: number) => `${((spentMs / ms) * 100).toFixed(0)} %`;
  return {
    typed,
    said: [
      `${commands} commands in ${(ms / 1_000).toFixed(0)} s; ${open} were open then, the last was answered ${drainS.toFixed(0)} s later`,
      `of a core, the bot used ${share(bot)}, emulators and commands ${share((own.user + own.system) / 1_000)}`,
      `memory: idle ${idle}, at most ${peak.toFixed(0)} MB, ${AT_REST_MS / 1_000} s after the last answer ${await memoryOf(bench)}`,
    ],
  };
}

async function run(): Promise<boolean> {
  const name = values.redis ? 'this bot on Redis' : 'this bot';
  const bench = await openBenchWorld(name, { people: PEOPLE, collects: true });
  shelve(bench);
  if (!values.calm) disturb(bench);
  const { typed, said } = await measured(bench);
  const deliveries = typed.flatMap((one) => one.deliveries);
  const accepted = deliveries.filter(({ acknowledged, body }) => acknowledged && body === '').length;
  const acks = deliveries.map(({ ms }) => ms);
  const breaches = broken(bench, typed);
  const lines = [
    `${name}, ${rate} commands a second: ${accepted} of ${typed.length} accepted`,
    ...said,
    `acknowledged within ${[0.5, 0.99, 1].map((share) => `${percentile(acks, share).toFixed(0)} ms`).join(', ')} (median, p99, slowest)`,
    `${bench.slack.records.calls.length} calls of Slack, ${bench.service.records.requests.length} requests, ${bench.service.records.logins.length} logins`,
    ...(breaches.length === 0 ? ['every promise kept'] : ['BROKEN', ...breaches.slice(0, MOST_SHOWN)]),
  ];
  stdout.write(`${lines.join('\n')}\n`);
  await bench.close();
  return breaches.length === 0;
}

// Child processes are ended on `exit`, which does not fire if a signal without a handler ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => exit(130));
exit((await run()) ? 0 : 1);
