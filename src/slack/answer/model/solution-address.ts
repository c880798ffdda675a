import type { Solution } from '../../../core/diagnostics.ts';
import { articleIn, idsOfTerm } from '../../../core/issue-ids.ts';
import { LIMITS } from '../../block-kit/limits.ts';

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

/** A solution as text, for where it is no link: its id and its address, as far as it has them. */
export function solutionText({ url, id = '' }: Solution): string {
  return [id, url].filter((part) => part !== '').join(' ');
}

/**
 * What a link to an article is called: its id, and its host where that is not the one of the document's other links.
 */
export function articleLabel(solution: Solution, address: URL, usualHost: string | undefined): string {
  const stated = solution.id?.trim() || articleId(address);
  const id = idsOfTerm(stated)[0]?.id ?? stated;
  return usualHost === undefined || usualHost === address.host ? id : `${address.host}: ${id}`;
}

/** The host that most of these links lead to: labels name other hosts only. Undefined without a link. */
export function usualHostOf(solutions: Iterable<Solution>): string | undefined {
  const counts = new Map<string, number>();
  for (const solution of solutions) {
    const host = webAddress(solution)?.host;
    if (host !== undefined) counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  let usual: string | undefined;
  for (const [host, count] of counts) if (count > (counts.get(usual ?? '') ?? 0)) usual = host;
  return usual;
}

function articleId({ pathname, search, hash, hostname }: URL): string {
  const named = articleIn(`${pathname}${search}${hash}`);
  if (named !== undefined) return named;
  const last = pathname.split('/').findLast((segment) => segment !== '');
  return last === undefined ? hostname : decoded(last);
}

/** What reads well and can't turn the text around it. */
const READABLE = /^[\p{L}\p{M}\p{N} .,()_-]+$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return READABLE.test(text) && LETTER_OR_DIGIT.test(text) ? text : segment;
  } catch {
    return segment;
  }
}
