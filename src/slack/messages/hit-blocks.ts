import type { types } from '@slack/bolt';
import type { Diagnostic, Solution } from '../../core/diagnostics.ts';
import type { Question } from '../../core/lookup.ts';
import { actions, button, linkButton, type RichElement, richText, words } from '../blocks.ts';
import { hitValue } from '../button-values.ts';
import { LIMITS, shorten } from '../limits.ts';
import { importanceOf } from './wording.ts';

export const DETAILS_ACTION = 'details';
/** Followed by a number: an action id is unique within its block. */
export const SOLUTION_ACTION = 'solution-';

/** What a message shows of a text; the rest is in the details. About two lines on a desktop. */
const SHOWN = 200;
const MOST_IDS = 3;
const MOST_LINKS = 5;
/** Together they must leave room for the other hits of the page. */
const LINKS_JSON = 1_500;

/** One hit of a result: what it is, what to do, and the buttons to its solutions and its details. */
export function hitBlocks(hit: Diagnostic, index: number, question: Question): types.KnownBlock[] {
  const paragraphs: RichElement[][] = [
    [words(`${shorten(importanceOf(hit), 60)} · ${shorten(hit.title, SHOWN)}`, { bold: true })],
    ...shown(hit.summary === hit.title ? '' : hit.summary),
    ...shown(saysSomething(hit.action) ? `Action: ${hit.action}` : ''),
    ...hit.solutions
      .filter((solution) => webAddress(solution) === undefined)
      .slice(0, MOST_IDS)
      .flatMap(({ url, id }) => shown(`Solution: ${url || id}`)),
    [words(shorten(identity(hit), SHOWN))],
  ];
  const links = linksOf(hit.solutions);
  const details = button('Details', DETAILS_ACTION, hitValue({ question, hit: index, part: 0 }));
  return [richText(...paragraphs), actions([...links, details])];
}

function shown(text: string): RichElement[][] {
  return text === '' ? [] : [[words(shorten(text, SHOWN))]];
}

/** In most hits the action is this sentence, which the solution buttons already say. */
const BOILERPLATE = /^(?:for additional information,? refer to the linked article|none|n\/a)\.?$/i;

/** Whether an action earns a line of its own. */
export function saysSomething(action: string): boolean {
  return action !== '' && !BOILERPLATE.test(action);
}

function identity({ name, cveIds, fixedIn }: Diagnostic): string {
  return [name, some(cveIds), fixedIn.length > 0 ? `fixed in ${some(fixedIn)}` : '']
    .filter((part) => part !== '')
    .join(' · ');
}

function some(list: readonly string[]): string {
  const more = list.length > MOST_IDS ? ` and ${list.length - MOST_IDS} more` : '';
  return list.slice(0, MOST_IDS).join(', ') + more;
}

const WEB_SCHEMES = ['http:', 'https:'];

/** The address of a solution that can be a link button: a web address, of a length that Slack takes. */
function webAddress({ url }: Solution): URL | undefined {
  const address = URL.parse(url);
  const isWeb = address !== null && WEB_SCHEMES.includes(address.protocol);
  return isWeb && address.href.length <= LIMITS.buttonUrl ? address : undefined;
}

/** The button to a solution, labelled by its article id; undefined when its address is none that Slack takes. */
export function solutionButton(solution: Solution, index: number): types.Button | undefined {
  const address = webAddress(solution);
  if (address === undefined) return undefined;
  return linkButton(solution.id || articleId(address), `${SOLUTION_ACTION}${index}`, address.href);
}

function articleId({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((segment) => segment !== '');
  return last === undefined ? hostname : decoded(last);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function linksOf(solutions: readonly Solution[]): types.Button[] {
  const links: types.Button[] = [];
  for (const solution of solutions) {
    const link = solutionButton(solution, links.length);
    if (link === undefined) continue;
    links.push(link);
    if (JSON.stringify(links).length > LINKS_JSON || links.length > MOST_LINKS) return links.slice(0, -1);
  }
  return links;
}
