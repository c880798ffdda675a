import { randomBytes } from 'node:crypto';
import type { Unfurl } from './model.ts';

/** What one call of `chat.unfurl` can change: the links of a message, or of one that is still being written. */
export interface UnfurlTarget {
  readonly source: 'conversations_history' | 'composer';
  /** The conversation and the message; undefined in the composer. */
  readonly message: { readonly channel: string; readonly ts: string } | undefined;
  /** Who writes it. */
  readonly user: string;
  readonly urls: readonly string[];
}

const LINK = /https?:\/\/[^\s<>|"]+/gi;
const DOMAIN = /^[a-z0-9.-]+$/;

/** The links of the app's domains, the ids by which Slack names messages with them, and the composers. */
export class Unfurls {
  /** As the manifest names them. */
  readonly domains: readonly string[];
  readonly #targets = new Map<string, UnfurlTarget>();
  readonly #drafts = new Map<string, Map<string, Unfurl>>();

  constructor(domains: readonly string[]) {
    this.domains = domains.filter((domain) => DOMAIN.test(domain));
  }

  /** The links of a text that the app is told of, each once, as they stand there. */
  linksIn(text: string): { readonly url: string; readonly domain: string }[] {
    const urls = [...new Set(text.match(LINK) ?? [])].map((url) => url.replaceAll('&amp;', '&'));
    return urls.flatMap((url) => {
      const host = URL.parse(url)?.hostname ?? '';
      const domain = this.domains.find((known) => host === known || host.endsWith(`.${known}`));
      return domain === undefined ? [] : [{ url, domain }];
    });
  }

  /** A new id of what can be unfurled. */
  issue(target: UnfurlTarget): string {
    const id = `U${this.#targets.size + 1}.${randomBytes(16).toString('hex')}`;
    this.#targets.set(id, target);
    if (target.source === 'composer') this.#drafts.set(target.user, new Map());
    return id;
  }

  target(id: string): UnfurlTarget | undefined {
    return this.#targets.get(id);
  }

  /** What somebody sees under the links of the message that this person is writing. */
  draftOf(user: string): Map<string, Unfurl> {
    const draft = this.#drafts.get(user) ?? new Map<string, Unfurl>();
    this.#drafts.set(user, draft);
    return draft;
  }
}
