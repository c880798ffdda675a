import type { types } from '@slack/bolt';
import { acceptanceOf } from '../../core/comparing.ts';
import { type Diagnostic, hostOf, identityOf, type Solution } from '../../core/diagnostics.ts';
import { levelOf, sideOf } from '../../core/importance.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { type HitKey, hitKeyValue } from '../blocks/action-values.ts';
import {
  actions,
  button,
  header,
  type Message,
  plain,
  preformatted,
  type RichElement,
  richText,
  smallPrint,
  smallText,
  words,
} from '../blocks/blocks.ts';
import { inert, LIMITS, pieces, shorten, visible, weigh } from '../blocks/limits.ts';
import { modal, windowTitle } from '../blocks/modal.ts';
import { articleLabel, webAddress } from './articles.ts';
import { hitKeyOf, hitsIn, isNamed } from './body.ts';
import { acceptedWords, actionLine, exploitedWords, titleOfHit } from './hit.ts';
import { levelMark } from './levels.ts';
import { TICKET, ticketButton } from './ticket.ts';
import { count, evidenceText, joined, statedAction, titleOf } from './words.ts';

export const PREVIOUS_ACTION = 'previous';
export const NEXT_ACTION = 'next';
export const SHARE_ACTION = 'share';
export const ACCEPT_ACTION = 'accept';
export const TAKE_BACK_ACTION = 'take-back';

/** A hit where a list has it: `at` counts from 0. */
type Place = {
  readonly hit: Diagnostic;
  readonly at: number;
  readonly list: readonly Diagnostic[];
  readonly key: HitKey;
  readonly answers: Answers;
  /** The template of the form of a ticket. */
  readonly ticketUrl?: string | undefined;
};

/** The hit or the check of this name among all of its side; undefined where the result no longer has it. */
export function placeOf(key: HitKey, answers: Answers): Place | undefined {
  const { result } = answers;
  const named = result.diagnostics.filter(({ name }) => isNamed(name, key.name));
  const hit = named[key.nth] ?? named[0];
  if (hit === undefined) return undefined;
  const { open, accepted } = hitsIn(answers);
  const list = hit.match === 'miss' ? sideOf(result, 'miss') : [...open, ...accepted].map((one) => one.hit);
  return { hit, at: list.indexOf(hit), list, key, answers };
}

/** Longer texts end with how to get the rest. Characters. Windows take 250,000, messages 12,000. */
const IN_WINDOW = 30_000;
const IN_MESSAGE = [3_000, 1_500, 700, 300];

/** Everything that is known of one hit, for one reader. `canShare`: whether there is a thread for it; `note`: what just happened. */
export function detailsWindow(place: Place, canShare: boolean, note = ''): types.ModalView {
  const { hit, at, list, key, answers } = place;
  const { question } = key;
  const keyOf = (other: Diagnostic) => hitKeyValue(hitKeyOf(other, question, answers.result));
  const [before, after] = [list[at - 1], list[at + 1]];
  const leaf = [
    ...(before === undefined ? [] : [button('‹ Previous', PREVIOUS_ACTION, keyOf(before))]),
    ...(after === undefined ? [] : [button('Next ›', NEXT_ACTION, keyOf(after))]),
  ];
  const accepted = acceptanceOf(hit, answers.accepted);
  const value = hitKeyValue(key);
  const toAccept =
    accepted === undefined
      ? button('Accept…', ACCEPT_ACTION, value)
      : button('Take back', TAKE_BACK_ACTION, value);
  // Of a device that nobody can tell from others nothing is accepted.
  const canAccept = hit.match === 'hit' && identityOf(answers.result.device) !== undefined;
  const end = [
    ...(canShare ? [shareButton(value)] : []),
    ...(canAccept ? [toAccept] : []),
    ...(hit.match === 'hit'
      ? ticketButton(place.ticketUrl, question, answers.result, [hit], TICKET.inWindow)
      : []),
  ];
  return modal(
    { title: windowTitle({ question }, hostOf(answers.result.device)), callbackId: DETAILS_VIEW },
    [
      ...(note === '' ? [] : [richText([words(note, BOLD)])]),
      ...(leaf.length === 0 ? [] : [actions(leaf)]),
      ...hitBlocks(place, IN_WINDOW),
      ...(end.length === 0 ? [] : [actions(end)]),
    ],
  );
}

const DETAILS_VIEW = 'details';

function shareButton(value: string): types.Button {
  return {
    ...button('Share in thread', SHARE_ACTION, value),
    confirm: {
      title: plain('Share in thread?'),
      text: plain('Everybody in the conversation sees it, with your name.'),
      confirm: plain('Share'),
      deny: plain('Cancel'),
    },
  };
}

/** The same as a message for the thread of its report. */
export function detailsMessage(place: Place, sharedBy: string): Message {
  const { hit, answers, key } = place;
  const of = titleOf({ question: key.question }, answers.result);
  const print = smallPrint(`Shared by <@${sharedBy}>`);
  const drawn = IN_MESSAGE.map((most) => [...hitBlocks(place, most), smallText(of), print]);
  const blocks = drawn.find((each) => weigh(each) <= LIMITS.messageJson) ?? drawn.at(-1) ?? [];
  const action = actionLine(hit, answers.result.software);
  return { text: inert(joined(' ', `${of}: ${titleOfHit(hit)}`, action)), blocks };
}

const BOLD = { bold: true };

/** What it is, what to do, what it means, what was found on the device, and where more is said. */
function hitBlocks({ hit, at, list, answers }: Place, most: number): types.KnownBlock[] {
  const { name, otherName = '', match, isMatchUnstated, summary, output } = hit;
  const level = levelOf(hit);
  const isCheck = match === 'miss';
  const mark = isCheck ? '✅\u00a0' : levelMark(level);
  const which = joined(
    ' · ',
    ' ',
    shorten(name, LONGEST_NAME),
    otherName !== '' && `also ${shorten(otherName, LONGEST_NAME)}`,
    isMatchUnstated === true && 'match not stated',
    exploitedWords(hit),
    `${isCheck ? 'check' : 'hit'} ${count(at + 1)} of ${count(list.length)}`,
  ).trimStart();
  const accepted = isCheck ? undefined : acceptanceOf(hit, answers.accepted);
  const evidence = evidenceText(output);
  return [
    header(shorten(hit.title, LIMITS.header) || titleOfHit(hit)),
    richText([
      ...(mark === '' ? [] : [words(mark)]),
      words(isCheck ? 'Passed' : level.word, BOLD),
      words(` ${which}`),
    ]),
    ...(accepted === undefined ? [] : [richText(acceptedWords(accepted))]),
    ...paragraph('What to do', statedAction(hit), most),
    ...paragraph('What it means', summary, most),
    ...(evidence === ''
      ? []
      : [richText([words('Evidence', BOLD)]), ...cut(evidence, most).map(preformatted)]),
    ...lists(hit),
    ...articles(hit, most),
  ];
}

const LONGEST_NAME = 100;

function paragraph(label: string, text: string, most: number): types.RichTextBlock[] {
  if (text === '') return [];
  return cut(text, most).map((piece, at) =>
    richText(at === 0 ? [words(label, BOLD), words(`\n${piece}`)] : [words(piece)]),
  );
}

/** The text in pieces for a block each; where it is too long, how much is left out. */
function cut(text: string, most: number): string[] {
  const whole =
    text.length <= most
      ? text
      : `${shorten(text, most)}\n(${count(text.length - most)} characters more: export as CSV)`;
  return pieces(whole, LIMITS.textElement);
}

const MOST_LISTED = 100;

function lists({ cveIds, fixedIn }: Diagnostic): types.RichTextBlock[] {
  const lines = [
    ['CVEs: ', cveIds],
    ['Fixed in: ', fixedIn],
  ] as const;
  const said = lines.filter(([, values]) => values.length > 0);
  if (said.length === 0) return [];
  return [richText(...said.map(([label, values]) => [words(label, BOLD), words(listedFirst(values))]))];
}

function listedFirst(values: readonly string[]): string {
  const more = values.length - MOST_LISTED;
  const first = values.slice(0, MOST_LISTED).map((value) => shorten(value, LONGEST_NAME));
  return `${first.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** Each article as a link, or, where its address can't be opened, as text. */
function articles({ solutions }: Diagnostic, most: number): types.RichTextBlock[] {
  if (solutions.length === 0) return [];
  const room = Math.max(1, Math.floor(most / 100));
  const more = solutions.length - room;
  const links = solutions
    .slice(0, room)
    .flatMap((solution, at): RichElement[] => [...(at === 0 ? [] : [words(', ')]), article(solution)]);
  return [
    richText([words('Articles: ', BOLD), ...links, ...(more > 0 ? [words(` and ${count(more)} more`)] : [])]),
  ];
}

function article(solution: Solution): RichElement {
  const address = webAddress(solution);
  const label = visible(shorten(articleLabel(solution), LONGEST_NAME)) || 'article';
  if (address !== undefined && address.href.length <= LONGEST_ADDRESS)
    return { type: 'link', url: address.href, text: label };
  return words(shorten(joined(' ', solution.id, solution.url), LONGEST_ADDRESS));
}

const LONGEST_ADDRESS = 500;
