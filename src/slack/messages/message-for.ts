import type { Lookup } from '../../core/lookup.ts';
import type { News } from '../../lookups/news.ts';
import type { Message } from '../blocks.ts';
import { cancelledMessage } from './cancelled-message.ts';
import { bugMessage, faultMessage } from './fault-message.ts';
import { resultMessage } from './result-message.ts';
import { timedOutMessage } from './timed-out-message.ts';
import { waitingMessage } from './waiting-message.ts';

/** The message that tells a lookup's news. `editable`: whether it is shown where it can change later. */
export function messageFor(
  lookup: Lookup<unknown>,
  news: News,
  { loginUrl, editable }: { loginUrl: string; editable: boolean },
): Message {
  const { question, askedBy } = lookup;
  switch (news.kind) {
    case 'waiting':
      return waitingMessage({ lookup, news, editable, loginUrl });
    case 'ready':
      return resultMessage({ question, result: news.result, page: 0, askedBy, readAt: news.readAt });
    case 'timed-out':
      return timedOutMessage(lookup, news.reason, news.trouble);
    case 'cancelled':
      return cancelledMessage(question, askedBy);
    case 'failed':
      return faultMessage(news.fault, question, askedBy, loginUrl);
    case 'broken':
      return bugMessage(news.reference, question, askedBy);
    default:
      return news satisfies never;
  }
}
