import type { Acceptance, Named } from '../../src/core/comparing.ts';
import type { SnapshotId } from '../../src/core/diagnostics.ts';
import { ServiceFailed, SnapshotNotFound } from '../../src/core/faults.ts';
import type { Question } from '../../src/core/lookup.ts';
import type { JobQueue, WatchJob } from '../../src/lookups/queue.ts';
import { Poster } from '../../src/slack/delivery/poster.ts';
import { readDaily } from '../../src/slack/features/watch/daily-reading.ts';
import type { Worth } from '../../src/slack/features/watch/news.ts';
import { Watches } from '../../src/slack/features/watch/watches.ts';
import type { FeatureParts } from '../../src/slack/front/context.ts';
import { aDiagnostic, aResult } from './a-diagnostic.ts';
import { featureParts } from './feature-parts.ts';
import type { ScriptedCall } from './scripted-slack.ts';
import { snapshotId } from './snapshot-id.ts';

export const DAY_MS = 24 * 3_600_000;
export const START = Date.UTC(2026, 0, 1);

type Answer = Awaited<ReturnType<FeatureParts['backgroundReads']['look']>>;
type Said = { readonly channel: string; readonly thread: string; readonly text: string; readonly id: string };

/** What the service, Slack and the process do. `slack` can also be an error code. */
function aState() {
  return {
    service: 'up',
    /** What a reading throws. */
    fault: undefined as Error | undefined,
    slack: 'up' as 'up' | 'down' | 'dies before' | 'dies after' | string,
    /** With an error code, those whose id begins so refuse every post. */
    refusing: 'C',
    /** What is accepted for the device. */
    accepted: [] as readonly Acceptance[],
    /** Happens once, while a direct message is on its way. */
    whenTold: async () => {},
    /** Happens while a reading is stored, before its watch is. */
    whenAdded: async () => {},
  };
}
type State = ReturnType<typeof aState>;

/** Slack, as the state has it: what was said there; `never` answers while the process dies. */
function slackIn(state: State, said: Said[], never: () => Promise<object>) {
  const post = async ({ args }: ScriptedCall): Promise<object | string> => {
    const [channel, thread] = [String(args.channel), String(args.thread_ts ?? '')];
    if (state.slack.includes('_') && channel.startsWith(state.refusing)) return state.slack;
    if (state.slack === 'dies before') return never();
    const { event_payload: marked } = args.metadata as ReturnType<typeof metadataOf>;
    said.push({ channel, thread, text: String(args.text), id: marked.lookup });
    if (!channel.startsWith('C')) await state.whenTold();
    if (state.slack === 'outside threads' && thread !== '') return { channel, ts: '9.9', message: {} };
    return state.slack === 'dies after' ? never() : { channel, ts: '9.9' };
  };
  const history = ({ args }: ScriptedCall) => {
    const there = said.filter(
      ({ channel, thread }) => channel === args.channel && thread === String(args.ts ?? ''),
    );
    const replies = there.map(({ id }) => ({ ts: '9.9', metadata: metadataOf(id) }));
    return { messages: [{ ts: String(args.ts) }, ...replies] };
  };
  const removed = ({ args }: ScriptedCall) => {
    const at = said.findIndex(({ channel }) => channel === args.channel);
    said.splice(at, 1);
    return {};
  };
  const methods: Readonly<Record<string, (call: ScriptedCall) => ReturnType<typeof post> | object>> = {
    'conversations.open': ({ args }) => ({ channel: { id: String(args.users) } }),
    ...{ 'conversations.replies': history, 'conversations.history': history },
    ...{ 'chat.postMessage': post, 'chat.delete': removed },
  };
  return (call: ScriptedCall) =>
    state.slack === 'down' ? new Error('no route') : (methods[call.method]?.(call) ?? {});
}

/** What the service says of a snapshot. */
function answerOf(hits: readonly Named[] | undefined, { service, fault }: State, readAt: number): Answer {
  if (service === 'busy') return undefined;
  if (service === 'processing') return { kind: 'processing', reason: '', since: 0, lookAgainAt: 0 };
  if (fault !== undefined) throw fault;
  if (service !== 'up') throw new ServiceFailed('diagnostics service', 503);
  if (hits === undefined) throw new SnapshotNotFound();
  const result = aResult(hits.map((hit) => aDiagnostic({ ...hit, title: 'A title' })));
  return { kind: 'ready', result, readAt };
}

/** The parts of a bot that reads the service and writes to Slack as the state has it. */
function partsIn(state: State) {
  const [said, requests]: [Said[], { readonly id: SnapshotId; readonly at: number }[]] = [[], []];
  const analyses = new Map<SnapshotId, readonly Named[]>();
  const jobs = new Map<string, WatchJob>();
  const death = { die: () => {} };
  const never = () => {
    death.die();
    return new Promise<object>(() => {});
  };
  const queue: Partial<JobQueue<WatchJob>> = {
    add: async (job) => {
      jobs.set(job.id, job);
      await state.whenAdded();
      return true;
    },
    remove: async (id) => void jobs.delete(id),
    countOpen: async () => jobs.size,
  };
  const look = async ({ snapshotId: id }: Question): Promise<Answer> => {
    const at = parts.clock.now;
    requests.push({ id, at });
    return answerOf(analyses.get(id), state, at);
  };
  const watching = { watchQueue: queue as JobQueue<WatchJob>, backgroundReads: { look } };
  const parts = featureParts(slackIn(state, said, never), {}, watching);
  parts.clock.now = START;
  return { parts, said, requests, analyses, jobs, death };
}

/** A process that has just started on what the last one stored. */
function startedOn(parts: FeatureParts, state: State) {
  const poster = new Poster(parts.client, () => {});
  const watches = new Watches({ ...parts, poster });
  const of = async () => ({ inForce: state.accepted, over: [] });
  const acceptances = { of } as unknown as FeatureParts['acceptances'];
  const reading = { ...parts, poster, watches, acceptances };
  return { watches, step: (job: WatchJob) => readDaily(job, reading) };
}

/** Watched snapshots on a clock of the test's own: the service, Slack and the process do what the test says. */
export function watching() {
  const state = aState();
  const { parts, said, requests, analyses, jobs, death } = partsIn(state);
  let process = startedOn(parts, state);
  /** Takes every step that is due until then, as the queue would; a step in which the process dies is taken again. */
  const until = async (end: number) => {
    for (;;) {
      const [next] = [...jobs.values()].sort((one, other) => one.at - other.at);
      if (next === undefined || next.at > end) break;
      parts.clock.now = Math.max(parts.clock.now, next.at);
      const { promise: died, resolve } = Promise.withResolvers<'died'>();
      death.die = () => resolve('died');
      const outcome = await Promise.race([process.step(next), died]);
      if (outcome === 'died') {
        state.slack = 'up';
        process = startedOn(parts, state);
      } else if (outcome.done) jobs.delete(next.id);
      else jobs.set(next.id, { ...outcome.job, at: outcome.at });
    }
    parts.clock.now = end;
  };
  const watch = (user: string, id: SnapshotId, worth: Worth, channel = 'C1', messageTs = `${id}.1`) => {
    const base = { at: parts.clock.now, hits: analyses.get(id) ?? [] };
    return process.watches.start({ user, snapshotId: id, device: '', worth, channel, messageTs, base });
  };
  return {
    ...parts,
    ...{ parts, state, analyses, jobs, requests, until, watch },
    /** What was said since this was asked last. */
    news: () => said.splice(0),
    watches: () => process.watches,
    step: (job: WatchJob) => process.step(job),
  };
}

export const ID = snapshotId('7001');

/** A snapshot without hits that Ana watches for any change. */
export async function watched() {
  const world = watching();
  world.analyses.set(ID, []);
  await world.watch('U0ANA', ID, 'any');
  return world;
}

function metadataOf(lookup: string) {
  return { event_type: 'snapshot_lookup', event_payload: { lookup } };
}
