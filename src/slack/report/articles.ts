import type { Solution } from '../../core/diagnostics.ts';
import { articleIn, idsOfTerm } from '../../core/texts.ts';
import { LIMITS } from '../blocks/limits.ts';

const WEB_SCHEMES = ['http:', 'https:'];

/**
 * The address of a solution, where it can be opened: a web address, of a length that Slack takes. One with credentials
 * is none: `https://support.example@evil.test/` reads like another host.
 */
export function webAddress({ url }: Solution): URL | undefined {
  const address = URL.parse(url);
  if (address === null || !WEB_SCHEMES.includes(address.protocol)) return undefined;
  if (address.username !== '' || address.password !== '') return undefined;
  return address.href.length <= LIMITS.buttonUrl ? address : undefined;
}

/** What an article is called: `K000100032`, or what its address ends in. */
export function articleLabel({ url, id = '' }: Solution): string {
  const stated = id.trim();
  if (stated !== '') return idsOfTerm(stated)[0]?.id ?? stated;
  const last = URL.parse(url)
    ?.pathname.split('/')
    .findLast((segment) => segment !== '');
  return articleIn(url) ?? last ?? url;
}

/** A longer address takes too much of a message; Details has all. */
const LONGEST_LINK = 300;

/** The articles that a message can link to. */
export function articlesOf({ solutions }: { readonly solutions: readonly Solution[] }): {
  readonly label: string;
  readonly url: string;
}[] {
  return solutions.flatMap((solution) => {
    const url = webAddress(solution)?.href;
    return url === undefined || url.length > LONGEST_LINK ? [] : [{ label: articleLabel(solution), url }];
  });
}
