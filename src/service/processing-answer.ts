import { lazily } from '../core/lazily.ts';
import { charsetOf, decodeBody } from './encoding.ts';
import { retryAfter } from './headers.ts';
import type { HttpResponse } from './transport.ts';

/**
 * The snapshot is still processed: the reason or '', and the epoch milliseconds before which the service asks not to be
 * asked again, if it names a time.
 */
export type ProcessingAnswer = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly retryAt?: number;
};

/**
 * The longest wait after a 202, even if the service asks for a longer one: people wait for the result. Milliseconds.
 */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Loaded at the first 202, because the table of HTML's named characters comes with it. */
const loadReasons = lazily(() => import('./processing-reason.ts'));

/** Reads a 202 (specification, 4.2). `now` is epoch milliseconds. */
export async function readProcessing(answer: HttpResponse, now: number): Promise<ProcessingAnswer> {
  const { processingReason } = await loadReasons();
  const reason = processingReason(decodeBody(answer.body, charsetOf(answer)));
  const stated = retryAfter(answer, now);
  const retryAt = stated === undefined ? {} : { retryAt: Math.min(stated, now + LONGEST_PAUSE_MS) };
  return { kind: 'processing', reason, ...retryAt };
}
