import { acceptanceOf, compareHits } from '../../../core/comparing.ts';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { levelOf, listsWholeSide, passedIn, sideOf } from '../../../core/importance.ts';
import { type Asked, isApp, isPrivately, type Lookup } from '../../../core/lookup.ts';
import type { Answers, LookupStatus, ReadyUnit } from '../../../lookups/lookup-status.ts';
import type { RecentLookup } from '../../../lookups/people.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';
import { graveCounts, LEVEL_MARKS } from '../../report/levels.ts';
import { nameOf } from '../../report/words.ts';

/** A person's lookups as the Home tab lists them: those that wait first, then the newest. */
export function listedLookups(list: readonly RecentLookup[]): readonly RecentLookup[] {
  const isWaiting = ({ state }: RecentLookup) => state === 'waiting';
  return list.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
}

/** Notes the lookup of an answer, and its devices. The answer is sent even if that cannot be stored. */
export async function noteLookup(
  { lookup, status, shown }: DeliveryEvent,
  { people, logger }: FeatureParts,
): Promise<void> {
  // An app has no Home tab.
  if (isApp(lookup.askedBy)) return;
  const answers = status.kind === 'ready' ? status : undefined;
  try {
    await people.note(lookup.askedBy, recentOf(lookup, status, shown), answers);
  } catch (error) {
    logger.warn({ err: error }, 'what a person looked up could not be stored');
  }
}

function recentOf(
  { id, question, before, others, acceptedAt }: Lookup,
  status: LookupStatus,
  { destination }: DeliveryEvent['shown'],
): RecentLookup {
  const ts = isPrivately(destination) ? undefined : destination.messageTs;
  const asked = { question, ...(before && { before }), ...(others && { others }) };
  return {
    lookupId: id,
    ...asked,
    channel: destination.channel,
    ...(ts === undefined ? {} : { ts }),
    askedAt: acceptedAt,
    state: status.kind,
    device: '',
    ...outcomeOf(asked, status),
  };
}

type Outcome = Pick<RecentLookup, 'mark' | 'findings'> & { readonly device?: string };

/** A mark is never good news where there is none. */
function outcomeOf(asked: Asked, status: LookupStatus): Outcome {
  switch (status.kind) {
    case 'ready':
      return readyOutcome(asked, status);
    case 'waiting':
      return { mark: '⏳', findings: 'Still being processed' };
    case 'cancelled':
      return { mark: '', findings: 'Cancelled' };
    case 'withheld':
      return { mark: '⚠️', findings: 'Not shown: you no longer have access' };
    case 'timed-out':
      return { mark: '⚠️', findings: 'No result in time' };
    case 'failed':
      return { mark: '⚠️', findings: WHY[status.fault.code] ?? 'No result' };
    default:
      return { mark: '⚠️', findings: 'No result' };
  }
}

/** Why there is no result, where that is a matter of the snapshot. */
const WHY: Readonly<Record<string, string>> = { 'snapshot-not-found': 'Not found', forbidden: 'No access' };

function readyOutcome(asked: Asked, answers: Answers): Outcome {
  const units: readonly Pick<ReadyUnit, 'question' | 'result' | 'accepted' | 'found'>[] = answers.units
    ? answers.units.flatMap((unit) => (unit.kind === 'ready' ? unit : []))
    : [{ ...answers, question: asked.question }];
  const hits = units.flatMap(({ result, accepted }) =>
    sideOf(result, 'hit').filter((hit) => acceptanceOf(hit, accepted) === undefined),
  );
  const isWhole = units.every(
    ({ result, question }) => listsWholeSide(result, question.set) && question.set !== 'miss',
  );
  const worst = Math.min(...hits.map((hit) => levelOf(hit).rank));
  const mark = hits.length > 0 ? (LEVEL_MARKS[worst] ?? '') : isWhole ? '✅' : '';
  const device = answers.units ? '' : nameOf(answers.result);
  return { mark, findings: findingsOf(asked, answers, hits, units.length), device };
}

function findingsOf(
  { question, before }: Asked,
  answers: Answers,
  hits: readonly Diagnostic[],
  size: number,
): string {
  if (before !== undefined && answers.before !== undefined) {
    const {
      cleared,
      new: added,
      unlisted,
    } = compareHits(
      sideOf(answers.before.result, 'hit'),
      sideOf(answers.result, 'hit'),
      passedIn(answers.result),
    );
    const left = unlisted.length > 0 ? `, ${unlisted.length} no longer checked` : '';
    return `${cleared.length} cleared, ${added.length} new${left}`;
  }
  if (question.set === 'miss') return `${sideOf(answers.result, 'miss').length} passed checks`;
  if (answers.found !== undefined) return `${answers.found.matches.size} found`;
  return `${levelsOf(hits)}${size > 1 ? ` on ${size} devices` : ''}`;
}

/** `2 critical, 11 high`, else the other levels; or `No hits`. */
function levelsOf(hits: readonly Diagnostic[]): string {
  return graveCounts(hits) || 'No hits';
}
