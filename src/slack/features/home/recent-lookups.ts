import { acceptanceOf, compareHits } from '../../../core/comparing.ts';
import { levelOf, listsWholeSide, passedIn, sideOf } from '../../../core/importance.ts';
import { type Asked, isApp, isPrivately } from '../../../core/lookup.ts';
import type { Answers, LookupStatus, ReadyUnit } from '../../../lookups/lookup-status.ts';
import type { RecentLookup } from '../../../lookups/people.ts';
import type { FeatureParts, NoteAlone } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/listeners.ts';
import { graveCounts, LEVEL_MARKS } from '../../report/levels.ts';
import { wholeOf } from '../../report/list.ts';
import { nameOf } from '../../report/words.ts';

/** Lists a lookup that has ended, and the devices of its answer. Does not throw. */
export async function noteLookup(
  { lookup, status, shown: { destination } }: DeliveryEvent,
  parts: FeatureParts,
): Promise<void> {
  const { askedBy, acceptedAt: askedAt } = lookup;
  // An app has no Home tab.
  if (isApp(askedBy) || status.kind === 'waiting') return;
  const { channel, messageTs: ts } = destination;
  const place = { channel, ...(ts !== undefined && !isPrivately(destination) && { ts }) };
  const outcome = outcomeOf(lookup, status);
  const recent = { ...wholeOf(lookup), ...place, askedAt, ...outcome };
  await note(askedBy, recent, status.kind === 'ready' ? status : undefined, parts);
}

/** The same of an answer that one person read in a window. */
export function noteAloneWith(parts: FeatureParts): NoteAlone {
  return (user, channel, view, answers) => {
    const recent = { channel, askedAt: parts.now(), ...wholeOf(view), ...readyOutcome(view, answers) };
    return note(user, recent, answers, parts);
  };
}

async function note(
  user: string,
  recent: RecentLookup,
  answers: Answers | undefined,
  { people, logger }: FeatureParts,
): Promise<void> {
  try {
    await people.note(user, recent, answers);
  } catch (error) {
    logger.warn({ err: error }, 'what a person looked up could not be stored');
  }
}

type Outcome = Pick<RecentLookup, 'mark' | 'findings' | 'device'>;

/** Why there is no result, in the words of the list; a mark is never good news where there is none. */
const WITHOUT: Readonly<Record<string, readonly [mark: string, findings: string]>> = {
  cancelled: ['', 'Cancelled'],
  withheld: ['⚠️', 'Not shown: you no longer have access'],
  'timed-out': ['⚠️', 'No result in time'],
  'snapshot-not-found': ['⚠️', 'Not found'],
  forbidden: ['⚠️', 'No access'],
};

function outcomeOf(view: Asked, status: LookupStatus): Outcome {
  if (status.kind === 'ready') return readyOutcome(view, status);
  const why = status.kind === 'failed' ? status.fault.code : status.kind;
  const [mark, findings] = WITHOUT[why] ?? ['⚠️', 'No result'];
  return { mark, findings, device: '' };
}

function readyOutcome(view: Asked, answers: Answers): Outcome {
  const { question } = view;
  const units: readonly Pick<ReadyUnit, 'question' | 'result' | 'accepted'>[] = answers.units
    ? answers.units.flatMap((unit) => (unit.kind === 'ready' ? unit : []))
    : [{ ...answers, question }];
  const hits = units.flatMap(({ result, accepted }) =>
    sideOf(result, 'hit').filter((hit) => acceptanceOf(hit, accepted) === undefined),
  );
  const isWhole = units.every((unit) => listsWholeSide(unit.result, unit.question.set));
  const worst = Math.min(...hits.map((hit) => levelOf(hit).rank));
  const mark = hits.length > 0 ? LEVEL_MARKS[worst] : isWhole && question.set !== 'miss' ? '✅' : '';
  const findings = `${graveCounts(hits) || 'No hits'}${units.length > 1 ? ` on ${units.length} devices` : ''}`;
  return {
    mark: mark ?? '',
    findings: ownFindings(view, answers) ?? findings,
    device: answers.units ? '' : nameOf(answers.result),
  };
}

/** Of a comparison, a search or passed checks: `20 cleared, 3 new`. */
function ownFindings({ question }: Asked, { before, result, found }: Answers): string | undefined {
  if (before !== undefined) {
    const [earlier, later] = [sideOf(before.result, 'hit'), sideOf(result, 'hit')];
    const { cleared, new: added, unlisted } = compareHits(earlier, later, passedIn(result));
    const left = unlisted.length > 0 ? `, ${unlisted.length} no longer checked` : '';
    return `${cleared.length} cleared, ${added.length} new${left}`;
  }
  if (question.set === 'miss') return `${sideOf(result, 'miss').length} passed checks`;
  return found && `${found.matches.size} found`;
}
