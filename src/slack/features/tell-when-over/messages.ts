import { type Lookup, questionsOf } from '../../../core/lookup.ts';
import type { LookupStatus } from '../../../lookups/lookup-status.ts';
import { findings } from '../../answer/findings.ts';
import { notReady } from '../../answer/waiting.ts';
import { capital, subjectOf } from '../../answer/wording.ts';
import { type Message, type RichElement, richText, words } from '../../block-kit/blocks.ts';

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
      return `${capital(subject)} is ready${
        questionsOf(lookup).length === 1 ? `: ${findings(lookup.question, status.result)}` : ''
      }.`;
    case 'timed-out':
      return `${notReady(lookup, status.trouble)}. The message above says how to go on.`;
    case 'cancelled':
      return `The lookup of ${subject} was cancelled.`;
    case 'withheld':
      return `${capital(subject)} is ready, but can’t be shown here. The message above says why.`;
    case 'failed':
    case 'broken':
    case 'unanswered':
      return `${capital(subject)} could not be read. The message above says why.`;
    default:
      return status satisfies never;
  }
}
