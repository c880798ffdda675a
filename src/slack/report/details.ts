import type { types } from '@slack/bolt';
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
import {
  acceptedWords,
  actionLine,
  exploitedWords,
  hitKeyOf,
  hitNamed,
  type Row,
  titleOfHit,
} from './hit.ts';
import { levelMark } from './levels.ts';
import { rowsIn } from './report.ts';
import { TICKET, ticketButton } from './ticket.ts';
import { count, evidenceText, joined, statedAction, titleOf } from './words.ts';

export const PREVIOUS_ACTION = 'previous';
export const NEXT_ACTION = 'next';
export const SHARE_ACTION = 'share';
export const ACCEPT_ACTION = 'accept';
export const TAKE_BACK_ACTION = 'take-back';

/** A hit or a check, and its place among all of its side, counted from 0. `ticketUrl`: the template of the form of a ticket. */
type Place = {
  readonly row: Row;
  readonly at: number;
  readonly list: readonly Row[];
  readonly ticketUrl?: string | undefined;
};

/** The hit or the check that a button names; undefined where the result no longer has it. */
export function placeOf(key: HitKey, answers: Answers): Place | undefined {
  const { question } = key;
  const { result } = answers;
  const hit = hitNamed(key, result);
  const { open, accepted } = rowsIn(question, answers);
  const checks = () => sideOf(result, 'miss').map((check): Row => ({ hit: check, question, result }));
  const list = hit?.match === 'miss' ? checks() : [...open, ...accepted];
  const at = list.findIndex((row) => row.hit === hit);
  const row = list[at];
  return row && { row, at, list };
}

/** Longer texts end with how to get the rest. Characters. Windows take 250,000, messages 12,000. */
const IN_WINDOW = 30_000;
const IN_MESSAGE = [3_000, 1_500, 700, 300];
const DETAILS_VIEW = 'details';
const BOLD = { bold: true };

/** Everything that is known of one hit, for one reader. `canShare`: whether there is a thread for it; `note`: what just happened. */
export function detailsWindow(place: Place, canShare: boolean, note = ''): types.ModalView {
  const { row, at, list, ticketUrl } = place;
  const { hit, question, result, accepted } = row;
  const to = (other: Row | undefined, label: string, action: string) =>
    other === undefined ? [] : [button(label, action, hitKeyValue(hitKeyOf(other)))];
  const leaf = [
    ...to(list[at - 1], '‹ Previous', PREVIOUS_ACTION),
    ...to(list[at + 1], 'Next ›', NEXT_ACTION),
  ];
  const isHit = hit.match === 'hit';
  // Without an identity of the device, nothing is accepted for it.
  const canAccept = isHit && identityOf(result.device) !== undefined;
  const end = [
    ...(canShare ? [shareButton(row)] : []),
    ...(canAccept && !accepted ? to(row, 'Accept…', ACCEPT_ACTION) : []),
    ...(canAccept && accepted ? to(row, 'Take back', TAKE_BACK_ACTION) : []),
    ...(isHit ? ticketButton(ticketUrl, question, result, [hit], TICKET.inWindow) : []),
  ];
  return modal({ title: windowTitle({ question }, hostOf(result.device)), callbackId: DETAILS_VIEW }, [
    ...(note === '' ? [] : [richText([words(note, BOLD)])]),
    ...(leaf.length === 0 ? [] : [actions(leaf)]),
    ...hitBlocks(place, IN_WINDOW),
    ...(end.length === 0 ? [] : [actions(end)]),
  ]);
}

function shareButton(row: Row): types.Button {
  return {
    ...button('Share in thread', SHARE_ACTION, hitKeyValue(hitKeyOf(row))),
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
  const { hit, question, result } = place.row;
  const of = titleOf({ question }, result);
  const print = smallPrint(`Shared by <@${sharedBy}>`);
  const drawn = IN_MESSAGE.map((most) => [...hitBlocks(place, most), smallText(of), print]);
  const blocks = drawn.find((each) => weigh(each) <= LIMITS.messageJson) ?? drawn.at(-1) ?? [];
  return { text: inert(joined(' ', `${of}: ${titleOfHit(hit)}`, actionLine(hit, result.software))), blocks };
}

/** What it is, what to do, what it means, what was found on the device, and where more is said. */
function hitBlocks({ row: { hit, accepted }, at, list }: Place, most: number): types.KnownBlock[] {
  const { name, otherName = '', isMatchUnstated, summary, output } = hit;
  const level = levelOf(hit);
  const isCheck = hit.match === 'miss';
  const which = joined(
    ' · ',
    shorten(name, LONGEST_NAME),
    otherName !== '' && `also ${shorten(otherName, LONGEST_NAME)}`,
    isMatchUnstated === true && 'match not stated',
    exploitedWords(hit),
    `${isCheck ? 'check' : 'hit'} ${count(at + 1)} of ${count(list.length)}`,
  );
  const evidence = evidenceText(output);
  return [
    header(shorten(hit.title, LIMITS.header) || titleOfHit(hit)),
    richText([
      ...(isCheck || levelMark(level) !== '' ? [words(isCheck ? '✅\u00a0' : levelMark(level))] : []),
      words(isCheck ? 'Passed' : level.word, BOLD),
      words(` · ${which}`),
    ]),
    ...(accepted === undefined ? [] : [richText(acceptedWords(accepted))]),
    ...paragraph('What to do', statedAction(hit), most),
    ...paragraph('What it means', summary, most),
    ...(evidence === ''
      ? []
      : [richText([words('Evidence', BOLD)]), ...cut(evidence, most).map(preformatted)]),
    ...lists(hit, most),
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

/** The CVEs, the releases and the articles, a line each. */
function lists({ cveIds, fixedIn, solutions }: Diagnostic, most: number): types.RichTextBlock[] {
  const texts = (values: readonly string[]) => values.map((value) => words(shorten(value, LONGEST_NAME)));
  const lines = [
    ['CVEs: ', texts(cveIds)],
    ['Fixed in: ', texts(fixedIn)],
    ['Articles: ', solutions.map(article)],
  ] as const;
  const room = Math.min(Math.floor(most / 100), MOST_LISTED);
  const said = lines
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => {
      const more = values.length - room;
      const first = values.slice(0, room).flatMap((value) => [words(', '), value]);
      const end = more > 0 ? [words(` and ${count(more)} more`)] : [];
      return [words(label, BOLD), ...first.slice(1), ...end];
    });
  return said.length === 0 ? [] : [richText(...said)];
}

/** An article as a link, or, where its address can't be opened, as text. */
function article(solution: Solution): RichElement {
  const address = webAddress(solution);
  const label = visible(shorten(articleLabel(solution), LONGEST_NAME)) || 'article';
  if (address !== undefined && address.href.length <= LONGEST_ADDRESS)
    return { type: 'link', url: address.href, text: label };
  return words(shorten(joined(' ', solution.id, solution.url), LONGEST_ADDRESS));
}

const LONGEST_ADDRESS = 500;
