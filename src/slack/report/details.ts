import type { types } from '@slack/bolt';
import { type Diagnostic, hostOf, identityOf } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { inert, LIMITS, pieces, shorten, visible } from '../blocks/limits.ts';
import { modal, windowTitle } from '../blocks/modal.ts';
import type { Operator } from './faults.ts';
import { acceptedWords, actionLine, articlesOf, exploitedWords, keyOf, type Row, titleOfHit } from './hit.ts';
import { levelMark } from './levels.ts';
import type { Place } from './rows.ts';
import { evidenceText, TICKET, ticketButton } from './ticket.ts';
import { count, joined, statedAction, titleOf } from './words.ts';

/** Shown when the result no longer contains the hit of a clicked button. */
export const HIT_GONE = 'The result has changed: this hit is no longer in it.';

/** The length at which texts are cut, with a hint to export them. Windows take 250,000 characters, messages 12,000. */
const IN_WINDOW = 30_000;
const IN_MESSAGE = 1_500;
const LONGEST_ADDRESS = 500;
const MOST_LISTED = 100;
/** All facts of one hit, for one reader. `canShare`: the report has a thread for it. `note`: what the last click did. */
export function detailsWindow(
  place: Place & Pick<Operator, 'ticketUrl'>,
  canShare: boolean,
  note = '',
): types.ModalView {
  const { row, at, list, ticketUrl } = place;
  const { hit, question, result, accepted } = row;
  const to = (label: string, action: string, other: Row | undefined = row) =>
    ui.button(label, action, keyOf(other), titleOfHit(other.hit));
  const [previous, next] = [list[at - 1], list[at + 1]];
  const isHit = hit.match === 'hit';
  // An acceptance is stored with its device, which must be known for that.
  const canAccept = isHit && identityOf(result.device) !== undefined;
  const confirm = {
    title: ui.plain('Share in thread?'),
    text: ui.plain('Everybody in the conversation sees it, with your name.'),
    confirm: ui.plain('Share'),
    deny: ui.plain('Cancel'),
  };
  return modal({ title: windowTitle({ question }, hostOf(result.device)), callbackId: 'details' }, [
    ...ui.present(note && ui.richText([ui.bold(note)])),
    ...ui.buttonRow(
      previous && to('‹ Previous', ACTION.previous, previous),
      next && to('Next ›', ACTION.next, next),
    ),
    ...hitBlocks(place, IN_WINDOW),
    ...ui.buttonRow(
      canShare && { ...to('Share in thread', ACTION.share), confirm },
      canAccept && (accepted ? to('Take back', ACTION.takeBack) : to('Accept…', ACTION.accept)),
      isHit && ticketButton(ticketUrl, [row], TICKET.inWindow),
    ),
  ]);
}

/** The details of a hit, as a message for the thread of the report. */
export function detailsMessage(place: Place, sharedBy: string): ui.Message {
  const { hit, question, result } = place.row;
  const of = titleOf({ question }, result);
  const print = [ui.smallPrint(ui.plain(of)), ui.smallPrint(`Shared by <@${sharedBy}>`)];
  const text = inert(joined(' ', `${of}: ${titleOfHit(hit)}`, actionLine(place.row)));
  return { text, blocks: [...hitBlocks(place, IN_MESSAGE), ...print] };
}

function hitBlocks({ row: { hit, accepted }, at, list }: Place, most: number): types.KnownBlock[] {
  const { name, otherName, isMatchUnstated, summary } = hit;
  const level = levelOf(hit);
  const isCheck = hit.match === 'miss';
  const which = joined(
    ' · ',
    shorten(name, LIMITS.name),
    otherName && `also ${shorten(otherName, LIMITS.name)}`,
    isMatchUnstated && 'match not stated',
    exploitedWords(hit),
    `${isCheck ? 'check' : 'hit'} ${count(at + 1)} of ${count(list.length)}`,
  );
  const mark = isCheck ? '✅\u00a0' : levelMark(level);
  const rated = ui.bold(isCheck ? 'Passed' : level.word);
  const paragraph = (label: string, text: string) =>
    text !== '' && [ui.bold(label), ui.words(`\n${cut(text, Math.min(most, LIMITS.textElement))}`)];
  const texts = [paragraph('What to do', statedAction(hit)), paragraph('What it means', summary)];
  const evidence = pieces(cut(evidenceText(hit), most), LIMITS.textElement).map(ui.preformatted);
  return [
    ui.header(shorten(hit.title, LIMITS.header) || titleOfHit(hit)),
    ui.richText(ui.present(mark && ui.words(mark), rated, ui.words(` · ${which}`))),
    ...ui.present(accepted && ui.richText(acceptedWords(accepted))),
    ...ui.present(...texts).map((each) => ui.richText(each)),
    ...ui.present(evidence.length > 0 && ui.richText([ui.bold('Evidence')]), ...evidence),
    ...lists(hit, most),
  ];
}

/** Cuts a text that is too long, and adds how many characters are missing. */
function cut(text: string, most: number): string {
  const left = text.length - most;
  return left > 0 ? `${shorten(text, most)}\n(${count(left)} characters more: export as CSV)` : text;
}

function lists(hit: Diagnostic, most: number): types.RichTextBlock[] {
  const room = Math.min(Math.floor(most / 100), MOST_LISTED);
  const line = (label: string, values: readonly ui.RichElement[]) => {
    const first = values.slice(0, room).flatMap((value, at) => (at === 0 ? value : [ui.words(', '), value]));
    const more = values.length - room;
    return (
      values.length > 0 &&
      ui.present(ui.bold(label), ...first, more > 0 && ui.words(` and ${count(more)} more`))
    );
  };
  const texts = (values: readonly string[]) => values.map((value) => ui.words(shorten(value, LIMITS.name)));
  const articles = articlesOf(hit).map(({ label, address, url }): ui.RichElement => {
    if (url === undefined) return ui.words(shorten(`${label} ${address}`, LONGEST_ADDRESS));
    return { type: 'link', url, text: visible(shorten(label, LIMITS.name)) || 'article' };
  });
  const lines = ui.present(
    line('CVEs: ', texts(hit.cveIds)),
    line('Fixed in: ', texts(hit.fixedIn)),
    line('Articles: ', articles),
  );
  return ui.present(lines.length > 0 && ui.richText(...lines));
}
