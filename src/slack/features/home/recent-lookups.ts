import { byImportance, levelOf, listsWholeSide } from '../../../core/importance.ts';
import { type Asked, isApp, isPrivately } from '../../../core/lookup.ts';
import type { Answers, LookupStatus } from '../../../lookups/lookup-status.ts';
import type { RecentLookup } from '../../../lookups/people.ts';
import type { FeatureParts, ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/listeners.ts';
import { BRIEF } from '../../report/faults.ts';
import { hitsOf } from '../../report/hit.ts';
import { graveCounts, LEVEL_MARKS } from '../../report/levels.ts';
import { wholeOf } from '../../report/list.ts';
import { arrangedIn } from '../../report/message-for.ts';
import { changesOf, everyHit, isOfChecks } from '../../report/rows.ts';
import { capital, count, counted, joined, nameOf, some } from '../../report/words.ts';

/** Adds lookups to a person's list when they end, and results that the person read in a window. */
export function recents({ people, logger, now }: FeatureParts): Recents {
  const note = (user: string, recent: RecentLookup, answers?: Answers) =>
    people.note(user, recent, answers).catch((err: unknown) => {
      logger.warn({ err }, 'what a person looked up could not be stored');
    });
  return {
    hook: async ({ lookup, status, shown: { destination } }) => {
      const { askedBy, acceptedAt: askedAt } = lookup;
      // An app has no Home tab to list its lookups.
      if (isApp(askedBy) || status.kind === 'waiting') return;
      const { channel, messageTs: ts } = destination;
      const place = { channel, ...(ts !== undefined && !isPrivately(destination) && { ts }) };
      const entry = status.kind === 'ready' ? readyEntry(lookup, status) : entryOf(lookup, status);
      await note(askedBy, { ...place, askedAt, ...entry }, status.kind === 'ready' ? status : undefined);
    },
    noteAlone: (user, channel, view, answers) =>
      note(user, { channel, askedAt: now(), ...readyEntry(view, answers) }, answers),
  };
}

type Recents = Pick<Feature, 'hook'> & Pick<ListenerContext, 'noteAlone'>;
type Entry = Omit<RecentLookup, 'channel' | 'ts' | 'askedAt'>;

/** The entry for a lookup without a result. */
function entryOf(asked: Asked, status: LookupStatus): Entry {
  const without = (findings: string, mark = '⚠️') => ({ ...wholeOf(asked), mark, findings, device: '' });
  if (status.kind === 'failed') return without(capital(BRIEF[status.fault.code]));
  if (status.kind === 'cancelled') return without('Cancelled', '');
  return without(status.kind === 'withheld' ? 'Not shown: you no longer have access' : 'No result');
}

/** The entry for a result, such as `2 critical, 11 high`. It counts the whole analysis, even for a part. */
function readyEntry(asked: Asked, given: Answers): Entry {
  const { view: arranged, answers } = arrangedIn(asked, given);
  const view = wholeOf(arranged);
  const { result, before, units } = answers;
  const one = { ...answers, kind: 'ready' as const, question: view.question };
  const all = (units ?? [one]).filter((unit) => unit.kind === 'ready');
  const ready = all.map(({ found: _ofSearch, ...unit }) => unit);
  const rows = everyHit(view, before ? answers : { ...answers, units: ready });
  const hits = rows.filter(({ hit, isOver }) => hit.match === 'hit' && !isOver);
  const open = hitsOf(hits.filter(({ accepted }) => !accepted));
  const isWhole = ready.every((unit) => listsWholeSide(unit.result, unit.question.set));
  const checks = isOfChecks(view) && counted(rows.length, 'passed check');
  const none = some(hits, 'accepted') || (isWhole ? 'No hits' : 'Not all hits are known');
  const said = checks || graveCounts(open) || none;
  const [worst] = byImportance(open);
  const isPart = units !== undefined && ready.length < units.length;
  const of = units && joined(' of ', isPart && count(ready.length), counted(units.length, 'snapshot'));
  return {
    ...view,
    mark: (worst ? LEVEL_MARKS[levelOf(worst).rank] : said === 'No hits' && '✅') || '',
    findings: (before && changedIn(view, answers)) || joined(' in ', said, of),
    device: units ? '' : nameOf(result),
  };
}

/** The changes of a comparison, such as `20 cleared, 3 new`. */
function changedIn(view: Asked, answers: Answers): string {
  const [fresh, , cleared, unlisted] = changesOf(view, answers);
  const sure = [cleared, fresh].map(({ place, rows }) => `${rows.length} ${place}`);
  return joined(', ', ...sure, some(unlisted.rows, unlisted.place));
}
