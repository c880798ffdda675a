import { randomBytes } from 'node:crypto';

/** A message of which the app was told, with the links in it. */
export interface UnfurlTarget {
  readonly channel: string;
  readonly ts: string;
  readonly urls: readonly string[];
}

const LINK = /https?:\/\/[^\s<>|"]+/gi;
const DOMAIN = /^[a-z0-9.-]+$/;

/** The links of the app's domains, and the ids by which Slack names messages with them. */
export class Unfurls {
  /** As the manifest names them. */
  readonly domains: readonly string[];
  readonly #targets = new Map<string, UnfurlTarget>();

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

  /** A new id. One of a message that is still being written names nothing that can be unfurled. */
  issue(target?: UnfurlTarget): string {
    const id = `U${this.#targets.size + 1}.${randomBytes(16).toString('hex')}`;
    if (target !== undefined) this.#targets.set(id, target);
    return id;
  }

  target(id: string): UnfurlTarget | undefined {
    return this.#targets.get(id);
  }
}
