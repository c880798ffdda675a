import type { Lookup } from '../../core/lookup.ts';
import type { News } from '../../lookups/news.ts';
import type { Message } from '../blocks.ts';
import type { ViewState } from '../button-values.ts';
import type { Answers } from '../shown-hits.ts';
import { cancelledMessage } from './cancelled-message.ts';
import { bugMessage, faultMessage } from './fault-message.ts';
import { timedOutMessage } from './timed-out-message.ts';
import { viewMessage } from './view-message.ts';
import { waitingMessage } from './waiting-message.ts';

/** The message that tells a lookup's news. `editable`: whether it is shown where it can change later. */
export function messageFor(
  lookup: Lookup<unknown>,
  news: News,
  { loginUrl, editable }: { loginUrl: string; editable: boolean },
): Message {
  const { askedBy } = lookup;
  switch (news.kind) {
    case 'waiting':
      return waitingMessage({ lookup, news, editable, loginUrl });
    case 'ready':
      return viewMessage(firstState(lookup, news), news);
    case 'timed-out':
      return timedOutMessage(lookup, news.reason, news.trouble);
    case 'cancelled':
      return cancelledMessage(lookup, askedBy);
    case 'failed':
      return faultMessage(news.fault, { asked: lookup, question: news.question, askedBy, loginUrl });
    case 'broken':
      return bugMessage(news.reference, lookup, askedBy);
    default:
      return news satisfies never;
  }
}

function firstState(lookup: Lookup<unknown>, { readAt, before }: Answers): ViewState {
  const { question, filter, askedBy } = lookup;
  return {
    question,
    ...(lookup.before === undefined ? {} : { before: lookup.before }),
    ...(filter === undefined ? {} : { filter }),
    page: 0,
    askedBy,
    madeAt: readAt,
    ...(before === undefined ? {} : { beforeMadeAt: before.readAt }),
    turn: 0,
  };
}
