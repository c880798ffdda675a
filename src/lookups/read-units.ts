import PQueue from 'p-queue';
import type { Diagnostic, DiagnosticsResult, Match } from '../core/diagnostics.ts';
import { Stopping } from '../core/errors.ts';
import { type Fault, isFault } from '../core/faults.ts';
import { type Asked, type Question, questionsOf } from '../core/lookup.ts';
import { search } from '../core/searching.ts';
import { type Answers, answersOf, type Read, type ReadyUnit, type Unit } from './lookup-status.ts';

/** The most documents of one request that are in memory at once. */
const AT_ONCE = 2;

/** A result, or that the service processes the snapshot (202), with its reason or ''. */
type Reading = (Read & { readonly kind: 'ready' }) | { readonly kind: 'processing'; readonly reason: string };

/**
 * The answers to a click: of several snapshots, one that can't be read now says why. Undefined while there is none.
 * `whole`: the side whose texts are kept as they stand, for a file. Throws `Stopping` and `storage-failed`, and the first
 * fault where that leaves no answer.
 */
export async function answersTo(
  asked: Asked,
  read: (question: Question) => Promise<Reading | undefined>,
  whole?: Match,
): Promise<Answers | undefined> {
  const faults: Fault[] = [];
  const units = await eachOf(questionsOf(asked), async (question): Promise<Unit> => {
    try {
      const answer = await read(question);
      if (answer?.kind === 'ready') return await unitOf(question, answer, asked, whole);
      return { question, kind: 'open', isProcessing: true, reason: answer?.reason ?? '' };
    } catch (error) {
      if (!isFault(error) || error instanceof Stopping || isFault(error, 'storage-failed')) throw error;
      faults.push(error);
      return { question, kind: 'failed', why: error.code };
    }
  });
  const answers = answersOf(asked, units);
  if (answers === undefined && faults[0] !== undefined) throw faults[0];
  return answers;
}

/** Does work for each unit: a few at once, because each may hold a document of its own. */
export function eachOf<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  return new PQueue({ concurrency: AT_ONCE }).addAll(items.map((item, index) => () => work(item, index)));
}

/** What of a text is kept: more than a message shows of it. */
const KEPT = { action: 2_000, others: 400 };

/**
 * A unit, with what a search finds in it. Beside several others it is kept without the texts that only details and files
 * show, but for those of the side `whole`.
 */
export async function unitOf(
  question: Question,
  { result, readAt }: Read,
  { others, search: sought }: Asked,
  whole?: Match,
): Promise<ReadyUnit> {
  const found = sought && (await search(result.diagnostics, sought));
  const unit = { kind: 'ready', question, readAt } as const;
  if (others === undefined) return { ...unit, result, ...(found && { found }) };
  const isWhole = ({ match }: Diagnostic) => match === whole;
  const outlines = new Map(result.diagnostics.map((each) => [each, isWhole(each) ? each : outlineOf(each)]));
  const outlined = (some: Iterable<Diagnostic>) => [...some].flatMap((each) => outlines.get(each) ?? []);
  const kept: DiagnosticsResult = { ...result, diagnostics: [...outlines.values()] };
  const keptFound = found && {
    matches: new Set(outlined(found.matches)),
    verdicts: found.verdicts.map((verdict) => ({ ...verdict, saidBy: outlined(verdict.saidBy) })),
  };
  return { ...unit, result: kept, ...(keptFound && { found: keptFound }) };
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
