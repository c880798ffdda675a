import { AbortError } from 'p-retry';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import {
  Forbidden,
  NotAcceptable,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  SnapshotNotFound,
  UnexpectedAnswer,
} from '../core/faults.ts';
import type { Question } from '../core/lookup.ts';
import type { Authentication, Proof } from './authentication.ts';
import { readAside } from './document-reader.ts';
import { decodeBody } from './encoding.ts';
import { locationOf, retryAt } from './headers.ts';
import { processingReason } from './processing-reason.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { HttpAnswer, Transport } from './transport.ts';

/** What the service says of a snapshot: its analysis, or that it is not there yet, with the service's reason or ''. */
export type DiagnosticsAnswer =
  | { readonly kind: 'ready'; readonly result: DiagnosticsResult }
  | { readonly kind: 'processing'; readonly reason: string };

export type ClientOptions = {
  readonly transport: Transport;
  readonly authentication: Authentication;
  readonly settings: ServiceSettings;
  readonly retry: RetryPolicy;
  readonly now: () => number;
};

/** The service's operations, one method each. */
export class DiagnosticsClient {
  readonly #options: ClientOptions;
  readonly #loginHosts: ReadonlySet<string>;

  constructor(options: ClientOptions) {
    const { authUrl, loginUrl } = options.settings;
    this.#options = options;
    this.#loginHosts = new Set([authUrl, loginUrl].map((url) => new URL(url).host));
  }

  /**
   * The diagnostics of a snapshot (specification, 4.2). Transient faults were already retried when they are
   * thrown; after `processing` the caller keeps the ten seconds. Throws every `Fault` of the service and of a login.
   */
  diagnostics(question: Question): Promise<DiagnosticsAnswer> {
    const { retry, now } = this.#options;
    return withRetries(retry, async () => this.#read(await this.#ask(question), question), now);
  }

  /** One request, repeated once with a new session when the first one was refused (specification, 5.4). */
  async #ask(question: Question): Promise<HttpAnswer> {
    const { authentication } = this.#options;
    const url = this.#urlOf(question);
    const first = await this.#prove(url);
    const answer = await this.#send(url, first.headers);
    if (!this.#isSessionRefusal(answer, url)) return answer;
    await authentication.refused(first);
    const second = await this.#prove(url);
    const repeated = await this.#send(url, second.headers);
    if (!this.#isSessionRefusal(repeated, url)) return repeated;
    await authentication.refusedAgain(second);
    throw new SessionRefused();
  }

  /** A login has retries of its own; repeating them here would multiply them. */
  async #prove(url: URL): Promise<Proof> {
    try {
      return await this.#options.authentication.prove(url);
    } catch (error) {
      throw error instanceof Error ? new AbortError(error) : error;
    }
  }

  #urlOf({ snapshotId, set }: Question): URL {
    const url = new URL(
      `${this.#options.settings.baseUrl}/snapshot-analyzer/api/snapshots/${snapshotId}/diagnostics`,
    );
    if (set !== 'all') url.searchParams.set('set', set);
    return url;
  }

  #send(url: URL, proof: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const { transport, settings } = this.#options;
    return transport.send({
      neighbour: 'diagnostics service',
      method: 'GET',
      url,
      headers: {
        accept: `application/vnd.${settings.vendor}.diagnostics.api`,
        'accept-encoding': 'identity',
        'user-agent': settings.userAgent,
        ...proof,
      },
    });
  }

  /** Expired cookies show as a redirect to the login servers; a 401 says the same in another way. */
  #isSessionRefusal(answer: HttpAnswer, asked: URL): boolean {
    if (answer.status === 401) return true;
    if (!isRedirect(answer)) return false;
    const location = locationOf(answer, asked);
    return location !== undefined && this.#loginHosts.has(location.host);
  }

  async #read(answer: HttpAnswer, { snapshotId, set }: Question): Promise<DiagnosticsAnswer> {
    switch (answer.status) {
      case 200:
        return { kind: 'ready', result: await readAside(decodeBody(answer), set) };
      case 202:
        return { kind: 'processing', reason: processingReason(decodeBody(answer)) };
      case 403:
        throw new Forbidden();
      case 404:
        throw new SnapshotNotFound();
      case 406:
        throw new NotAcceptable();
      case 429:
        throw new RateLimited(retryAt(answer, this.#options.now()));
      default:
        throw this.#unspecified(answer, this.#urlOf({ snapshotId, set }));
    }
  }

  #unspecified(answer: HttpAnswer, asked: URL): ServiceFailed | UnexpectedAnswer {
    if (answer.status >= 500) return new ServiceFailed('diagnostics service', answer.status);
    const redirectedTo = isRedirect(answer) ? locationOf(answer, asked)?.host : undefined;
    return new UnexpectedAnswer('diagnostics service', answer.status, redirectedTo);
  }
}

function isRedirect(answer: HttpAnswer): boolean {
  return answer.status >= 300 && answer.status < 400;
}
