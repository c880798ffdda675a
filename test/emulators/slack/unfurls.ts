import { randomBytes } from 'node:crypto';

/** A message with links that the app was notified about. */
export interface UnfurlTarget {
  readonly channel: string;
  readonly ts: string;
  readonly urls: readonly string[];
}

const LINK = /https?:\/\/[^\s<>|"]+/gi;
const DOMAIN = /^[a-z0-9.-]+$/;

/** The links to the app's domains, and the unfurl ids of messages with such links. */
export class Unfurls {
  /** The domains in the manifest. */
  readonly domains: readonly string[];
  readonly #targets = new Map<string, UnfurlTarget>();

  constructor(domains: readonly string[]) {
    this.domains = domains.filter((domain) => DOMAIN.test(domain));
  }

  /** The links in a text to the app's domains, each once, in their original spelling. */
  linksIn(text: string): { readonly url: string; readonly domain: string }[] {
    const urls = [...new Set(text.match(LINK) ?? [])].map((url) => url.replaceAll('&amp;', '&'));
    return urls.flatMap((url) => {
      const host = URL.parse(url)?.hostname ?? '';
      const domain = this.domains.find((known) => host === known || host.endsWith(`.${known}`));
      return domain === undefined ? [] : [{ url, domain }];
    });
  }

  /** Issues a new id. Without a target (a message that is still being written) nothing can be unfurled. */
  issue(target?: UnfurlTarget): string {
    const id = `U${this.#targets.size + 1}.${randomBytes(16).toString('hex')}`;
    if (target !== undefined) this.#targets.set(id, target);
    return id;
  }

  target(id: string): UnfurlTarget | undefined {
    return this.#targets.get(id);
  }
}
