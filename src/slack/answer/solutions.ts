import type { types } from '@slack/bolt';
import type { Solution } from '../../core/diagnostics.ts';
import { articleIn, idsOfTerm, oneLine } from '../../core/texts.ts';
import { button, linkButton } from '../blocks/blocks.ts';
import { LIMITS, shorten, weigh } from '../blocks/limits.ts';
import { counted, joined } from './wording.ts';

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
  return joined(' ', id, url);
}

/**
 * What a link to an article is called: its id, and its host where that is not the one of the document's other links.
 */
export function articleLabel(solution: Solution, address: URL, usualHost: string | undefined): string {
  const stated = solution.id?.trim() || articleId(address);
  const id = idsOfTerm(stated)[0]?.id ?? stated;
  return usualHost === undefined || usualHost === address.host ? id : `${address.host}: ${id}`;
}

/** So many links tell which host is the usual one; a document may have tens of thousands. */
const ENOUGH = 1_000;

/** The host that most of these links lead to: labels name other hosts only. Undefined without a link. */
export function usualHostOf(solutions: readonly Solution[]): string | undefined {
  const hosts = solutions.slice(0, ENOUGH).flatMap((solution) => webAddress(solution)?.host ?? []);
  const counted = [...Map.groupBy(hosts, (host) => host)];
  return counted.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
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

/** Followed by a number: an action id is unique within its block. */
export const SOLUTION_ACTION = 'solution-';

/** As many solutions as a message has buttons for; the details have them all. */
const MOST_LINKS = 2;
/** An address that is longer leaves too little room for the other hits of the page. */
const LONGEST_LINK = 500;
/** What one row of buttons holds on a phone beside "Details", in characters; each link has a frame and an arrow. */
const ROW = 36;
const FRAME = 7;

/** The button to a solution, labelled by its article id; undefined when its address is none that can be opened. */
export function solutionButton(
  solution: Solution,
  index: number,
  usualHost: string | undefined,
): types.Button | undefined {
  const address = webAddress(solution);
  if (address === undefined) return undefined;
  const label = articleLabel(solution, address, usualHost);
  return linkButton(label, `${SOLUTION_ACTION}${index}`, address.href, `${label}: open the article`);
}

/** The first solutions of a hit as buttons, the lines that they take beside "Details", and how many are left. */
type Links = {
  readonly buttons: readonly types.Button[];
  readonly rows: number;
  readonly more: number;
};

/** The links of a hit in a message. */
export function linksOf(solutions: readonly Solution[], usualHost: string | undefined): Links {
  const buttons = solutions
    .entries()
    .map(([index, solution]) => solutionButton(solution, index, usualHost))
    .filter((button) => button !== undefined)
    .take(MOST_LINKS)
    .filter((button) => weigh(button) <= LONGEST_LINK)
    .toArray();
  const width = buttons.reduce((sum, { text }) => sum + text.text.length + FRAME, 0);
  return { buttons, rows: width > ROW ? 2 : 1, more: solutions.length - buttons.length };
}

export const DETAILS_ACTION = 'details';

/** Says whether there is evidence, as far as its row has room, and how many articles more there are. */
export function detailsButton(
  title: string,
  hasEvidence: boolean,
  { buttons, more }: Links,
  value: string,
): types.Button {
  const evidence = hasEvidence ? 'evidence' : '';
  const shown = [buttons.length > 1 ? '' : evidence, more === 0 ? '' : `+${more}`];
  const label = joined(' · ', 'Details', ...shown);
  const also = [buttons.length > 1 ? evidence : '', more === 0 ? '' : counted(more, 'more article')];
  const end = also.map((part) => (part === '' ? '' : `, ${part}`)).join('');
  // Only the title gives way.
  const start = shorten(`${label}: ${oneLine(title)}`, LIMITS.buttonText - end.length);
  return button(label, DETAILS_ACTION, value, `${start}${end}`);
}
