import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import type { Diagnostic, DiagnosticsResult, Match } from '../core/diagnostics.ts';
import { Stopping } from '../core/errors.ts';
import { type Fault, isFault, StorageFailed } from '../core/faults.ts';
import { type Question, questionsOf } from '../core/lookup.ts';
import { type Found, type Search, search } from '../core/searching.ts';
import type { Read, ReadyUnit, Unit, UnitState } from './lookup-status.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, StoredUnit } from './queue.ts';
import { dueAfter, isWorthWaiting } from './retrying.ts';

/** The most documents of one request that are in memory at once. */
const AT_ONCE = 2;

type SeveralParts = {
  readonly polls: Polls;
  readonly timing: { readonly intervalMs: number };
  readonly now: () => number;
  readonly onBug: (error: unknown, reference: string, job: Job) => void;
};

/** How a step finds several snapshots: what to store of each, and the results that it has read. */
export type LookedAtSeveral = {
  readonly stored: readonly StoredUnit[];
  readonly read: ReadonlyMap<Question, ReadyUnit>;
};

/**
 * Asks for each snapshot of a job that may be asked for now, through the same polls as for one alone. What ends one of
 * them ends no other. Throws what means that the step is retried.
 */
export async function lookAtSeveral(job: Job, parts: SeveralParts): Promise<LookedAtSeveral> {
  const read = new Map<Question, ReadyUnit>();
  const stored = await eachOf(questionsOf(job), async (question, index): Promise<StoredUnit> => {
    const known = job.units?.[index];
    const { at = 0 } = known ?? {};
    if (known !== undefined && (known.kind !== 'open' || at > parts.now())) return known;
    try {
      const answer = await lookAt(question, job, parts.polls);
      if (answer.kind === 'processing') return openUntil(answer);
      read.set(question, await unitOf(question, answer, job.search));
      return { kind: 'ready' };
    } catch (error) {
      return withoutResult(error, known, job, parts);
    }
  });
  return { stored, read };
}

function openUntil({ reason, lookAgainAt: at }: Processing): StoredUnit {
  return { kind: 'open', isProcessing: true, reason, at };
}

/** Throws the end of the process, and faults of the bot's own storage, which say nothing about the snapshot. */
function withoutResult(
  error: unknown,
  known: StoredUnit | undefined,
  job: Job,
  parts: SeveralParts,
): StoredUnit {
  if (error instanceof Stopping || error instanceof StorageFailed) throw error;
  if (!isFault(error)) {
    const reference = randomUUID().slice(0, 8);
    parts.onBug(error, reference, job);
    return { kind: 'broken', reference };
  }
  const isProcessing = known?.kind === 'open' && known.isProcessing;
  if (!isWorthWaiting(error, isProcessing)) return { kind: 'failed', why: error.code };
  const troubles = (known?.troubles ?? 0) + 1;
  const at = dueAfter(error, troubles, parts.timing.intervalMs, parts.now());
  return { kind: 'open', isProcessing, reason: '', trouble: error.code, troubles, at };
}

/** The units of a message; what an earlier step has read is read again, from the cache where it is still there. */
export function unitsOf(job: Job, { stored, read }: LookedAtSeveral, polls: Polls): Promise<Unit[]> {
  return eachOf(questionsOf(job), async (question, index): Promise<Unit> => {
    const unit = read.get(question);
    if (unit !== undefined) return unit;
    const { at: _at, troubles: _troubles, ...state } = stored[index] ?? UNKNOWN;
    return state.kind === 'ready'
      ? unitNow(question, () => lookAt(question, job, polls), job.search)
      : { ...state, question };
  });
}

const UNKNOWN: StoredUnit = { kind: 'open', isProcessing: false, reason: '' };

/** What to store where a result is no longer there that an earlier step has read: it is asked for again. Else undefined. */
export function asIfUnknown(stored: readonly StoredUnit[], units: readonly Unit[]): StoredUnit[] | undefined {
  const isGone = (index: number) => stored[index]?.kind === 'ready' && units[index]?.kind !== 'ready';
  return stored.some((_, index) => isGone(index))
    ? stored.map((unit, index) => (isGone(index) ? UNKNOWN : unit))
    : undefined;
}

/**
 * The units of a click. A snapshot that can't be read now says why. `whole`: the side whose texts are kept as they stand,
 * for a file. Throws `Stopping` and `StorageFailed`, and the first fault where none has a result.
 */
export async function readUnits(
  questions: readonly Question[],
  read: (question: Question) => Promise<Ready | Processing>,
  sought: Search | undefined,
  whole?: Match,
): Promise<Unit[]> {
  const faults: Fault[] = [];
  const units = await eachOf(questions, (question) =>
    unitNow(question, () => read(question), sought, faults, whole),
  );
  if (faults[0] !== undefined && units.every(({ kind }) => kind !== 'ready')) throw faults[0];
  return units;
}

async function unitNow(
  question: Question,
  read: () => Promise<Ready | Processing>,
  sought: Search | undefined,
  faults: Fault[] = [],
  whole?: Match,
): Promise<Unit> {
  try {
    const answer = await read();
    if (answer.kind === 'ready') return await unitOf(question, answer, sought, whole);
    return { question, kind: 'open', isProcessing: true, reason: answer.reason };
  } catch (error) {
    if (!isFault(error) || error instanceof Stopping || error instanceof StorageFailed) throw error;
    faults.push(error);
    return { question, kind: 'failed', why: error.code };
  }
}

async function lookAt(
  question: Question,
  { mayBeCached, acceptedAt }: Job,
  polls: Polls,
): Promise<Ready | Processing> {
  const known = mayBeCached ? await polls.cached(question) : undefined;
  return known ?? polls.look(question, acceptedAt);
}

function eachOf<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  return new PQueue({ concurrency: AT_ONCE }).addAll(items.map((item, index) => () => work(item, index)));
}

/** What of a text is kept: more than a message shows of it. */
const KEPT = { action: 2_000, others: 400 };

/** What is kept of a result while those of other snapshots are read: without the texts that only details and files show. */
async function unitOf(
  question: Question,
  { result, readAt }: Read,
  sought: Search | undefined,
  whole?: Match,
): Promise<ReadyUnit> {
  const found = sought && (await search(result.diagnostics, sought));
  const isWhole = ({ match }: Diagnostic) => whole !== undefined && (match === whole || match === 'unstated');
  const outlines = new Map(result.diagnostics.map((each) => [each, isWhole(each) ? each : outlineOf(each)]));
  const outlined = (some: Iterable<Diagnostic>) => [...some].flatMap((each) => outlines.get(each) ?? []);
  const kept: DiagnosticsResult = { ...result, diagnostics: [...outlines.values()] };
  return { kind: 'ready', question, readAt, result: kept, ...(found && { found: foundIn(found, outlined) }) };
}

function foundIn(
  { matches, verdicts }: Found,
  outlined: (some: Iterable<Diagnostic>) => Diagnostic[],
): Found {
  return {
    matches: new Set(outlined(matches)),
    verdicts: verdicts.map((verdict) => ({ ...verdict, saidBy: outlined(verdict.saidBy) })),
  };
}

function outlineOf(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.match === 'miss') return { ...diagnostic, summary: '', action: '', output: [] };
  const { summary, action, output } = diagnostic;
  const evidence = output.find((block) => block.trim() !== '');
  return {
    ...diagnostic,
    summary: beginning(summary, KEPT.others),
    action: beginning(action, KEPT.action),
    output: evidence === undefined ? [] : [beginning(evidence, KEPT.others)],
  };
}

/** A copy: a part of a text would keep the whole of it in memory. */
function beginning(text: string, length: number): string {
  return text.length <= length ? text : `${Buffer.from(text.slice(0, length)).toString().trimEnd()}…`;
}

/** Whether there is something to wait for. */
export function isOpen({ kind }: UnitState): boolean {
  return kind === 'open';
}

/** The earliest time at which one of them may be asked for again, in epoch milliseconds. */
export function dueAt(stored: readonly StoredUnit[]): number {
  return Math.min(...stored.flatMap((unit) => (isOpen(unit) ? (unit.at ?? 0) : [])));
}
