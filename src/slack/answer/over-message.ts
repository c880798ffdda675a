import { countChecks, showsNoHits, sideOf } from '../../core/counting.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel } from '../../core/importance.ts';
import type { Lookup, Question } from '../../core/lookup.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import { type Message, type RichElement, richText, words } from '../block-kit/blocks.ts';
import { notReady } from './waiting.ts';
import { capital, count, counted, subjectOf, unstatedCount } from './wording.ts';

type Over = Exclude<LookupStatus, { readonly kind: 'waiting' }>;

/** The reply that ends a long wait: it mentions those who waited, and says in one breath what came of it. */
export function overMessage(users: readonly string[], lookup: Lookup, status: LookupStatus): Message {
  const sentence = status.kind === 'waiting' ? '' : sentenceFor(lookup, status);
  const mentions = users.flatMap((user_id): RichElement[] => [{ type: 'user', user_id }, words(' ')]);
  return {
    text: `${users.map((user) => `<@${user}>`).join(' ')} ${sentence}`,
    blocks: [richText([...mentions, words(sentence)])],
  };
}

/** The direct message to somebody who wanted to be told in a conversation where the bot can't post any more. */
export function overElsewhereMessage(lookup: Lookup): Message {
  const { channel } = lookup.destination;
  const [over, next] = [
    `The wait for ${subjectOf(lookup)} is over, but I can’t post in `,
    ' any more. Ask me here to get the answer.',
  ];
  return {
    text: `${over}<#${channel}>${next}`,
    blocks: [richText([words(over), { type: 'channel', channel_id: channel }, words(next)])],
  };
}

function sentenceFor(lookup: Lookup, status: Over): string {
  const subject = subjectOf(lookup);
  switch (status.kind) {
    case 'ready':
      return `${capital(subject)} is ready${outcome(lookup, status.result)}.`;
    case 'timed-out':
      return `${notReady(lookup, status.trouble)}. The message above says how to go on.`;
    case 'cancelled':
      return `The lookup of ${subject} was cancelled.`;
    case 'withheld':
      return `${capital(subject)} is ready, but can’t be shown here. The message above says why.`;
    case 'failed':
    case 'broken':
      return `${capital(subject)} could not be read. The message above says why.`;
    default:
      return status satisfies never;
  }
}

function outcome({ question, before }: Lookup, result: DiagnosticsResult): string {
  return before === undefined ? `: ${findings(question, result)}` : '';
}

/** Counts only: a thread may be read by people who should open the message for more. `12 hits, 2 critical` */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  const counts = countChecks(result, set);
  const { listed, stated } = counts;
  const unstated = unstatedCount(counts);
  const others = unstated === '' ? '' : `, ${unstated}`;
  if (set === 'miss') {
    if (!listed.misses && !stated.misses) return `no passed checks are listed${others}`;
    return `${counted(listed.misses ?? 0, 'check')} passed${otherCount(listed.misses, stated.misses)}${others}`;
  }
  if (showsNoHits(result, set)) return 'no known issues found';
  const hits = sideOf(result, 'hit');
  if (hits.length === 0 && !stated.hits && others === '') return 'no checks are listed';
  const critical = countByLevel(hits).find(({ level }) => level.rank === 0);
  const worst = critical === undefined ? '' : `, ${critical.count} critical`;
  return `${counted(hits.length, 'hit')}${worst}${otherCount(hits.length, stated.hits)}${others}`;
}

/** What the service counts, where it sent something else; or ''. */
function otherCount(listed: number | undefined, stated: number | undefined): string {
  return stated === undefined || stated === listed ? '' : ` (the service counts ${count(stated)})`;
}
