import { sideOf } from '../../core/counting.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel } from '../../core/importance.ts';
import type { Lookup } from '../../core/lookup.ts';
import type { News } from '../../lookups/news.ts';
import { type Message, type RichElement, richText, words } from '../blocks.ts';
import { capital, counted, subjectOf } from './wording.ts';

type Over = Exclude<News, { readonly kind: 'waiting' }>;

/** The reply that ends a long wait: it mentions those who waited, and says in one breath what came of it. */
export function overMessage(users: readonly string[], lookup: Lookup<unknown>, news: News): Message {
  const sentence = news.kind === 'waiting' ? '' : sentenceFor(lookup, news);
  const mentions = users.flatMap((user_id): RichElement[] => [{ type: 'user', user_id }, words(' ')]);
  return {
    text: `${users.map((user) => `<@${user}>`).join(' ')} ${sentence}`,
    blocks: [richText([...mentions, words(sentence)])],
  };
}

function sentenceFor(lookup: Lookup<unknown>, news: Over): string {
  const subject = subjectOf(lookup);
  switch (news.kind) {
    case 'ready':
      return `${capital(subject)} is ready${outcome(lookup, news.result)}.`;
    case 'timed-out':
      return `${capital(subject)} is still not ready. The message here says how to go on.`;
    case 'cancelled':
      return `Nobody waits for ${subject} any more: whoever asked for it stopped.`;
    case 'failed':
    case 'broken':
      return `${capital(subject)} could not be read. The message here says why.`;
    default:
      return news satisfies never;
  }
}

function outcome({ question, before }: Lookup<unknown>, result: DiagnosticsResult): string {
  if (before !== undefined) return '';
  return `: ${question.set === 'miss' ? passed(result) : findings(result)}`;
}

function passed(result: DiagnosticsResult): string {
  return `${counted(sideOf(result, 'miss').length, 'check')} passed`;
}

/** Counts only: a thread may be read by people who should open the message for more. `12 hits, 2 critical` */
export function findings(result: DiagnosticsResult): string {
  const hits = sideOf(result, 'hit');
  if (hits.length === 0) return 'no known issues found';
  const critical = countByLevel(hits).find(({ level }) => level.rank === 0);
  const worst = critical === undefined ? '' : `, ${critical.count} critical`;
  return `${counted(hits.length, 'hit')}${worst}`;
}
