import type { types } from '@slack/bolt';
import type { Solution } from '../../core/diagnostics.ts';
import { linkButton } from '../blocks.ts';
import { LIMITS, weigh } from '../limits.ts';

/** Followed by a number: an action id is unique within its block. */
export const SOLUTION_ACTION = 'solution-';

const MOST_LINKS = 5;
/** Together they must leave room for the other hits of the page. */
const LINKS_WEIGHT = 1_500;
const WEB_SCHEMES = ['http:', 'https:'];

/** Whether a solution can be a link button: a web address, of a length that Slack takes. */
export function isWebAddress(solution: Solution): boolean {
  return webAddress(solution) !== undefined;
}

function webAddress({ url }: Solution): URL | undefined {
  const address = URL.parse(url);
  const isWeb = address !== null && WEB_SCHEMES.includes(address.protocol);
  return isWeb && address.href.length <= LIMITS.buttonUrl ? address : undefined;
}

/** The button to a solution, labelled by its article id; undefined when its address is none that Slack takes. */
export function solutionButton(solution: Solution, index: number): types.Button | undefined {
  const address = webAddress(solution);
  if (address === undefined) return undefined;
  const label = solution.id?.trim() || articleId(address);
  return linkButton(label, `${SOLUTION_ACTION}${index}`, address.href, `Open article ${label}`);
}

/** As many buttons as a message has room for; the details have them all. */
export function linkButtons(solutions: readonly Solution[]): types.Button[] {
  const links: types.Button[] = [];
  for (const solution of solutions) {
    const link = solutionButton(solution, links.length);
    if (link === undefined) continue;
    if (links.length === MOST_LINKS || weigh([...links, link]) > LINKS_WEIGHT) return links;
    links.push(link);
  }
  return links;
}

function articleId({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((segment) => segment !== '');
  return last === undefined ? hostname : decoded(last);
}

/** What reads well and can't turn the text around it. */
const READABLE = /^[\p{L}\p{M}\p{N} .,()_-]*[\p{L}\p{N}][\p{L}\p{M}\p{N} .,()_-]*$/u;

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return READABLE.test(text) ? text : segment;
  } catch {
    return segment;
  }
}
