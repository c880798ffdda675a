import type { types } from '@slack/bolt';
import { type Diagnostic, hostOf, identityOf } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { HitKey } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { inert, LIMITS, pieces, shorten, visible } from '../blocks/limits.ts';
import { modal, windowTitle } from '../blocks/modal.ts';
import { ACTION } from './action-ids.ts';
import {
  acceptedWords,
  actionLine,
  articlesOf,
  exploitedWords,
  hitNamed,
  hitsOf,
  keyOf,
  type Row,
  rowTitle,
  titleOfHit,
} from './hit.ts';
import { levelCounts, levelMark } from './levels.ts';
import { rowsOf } from './rows.ts';
import { count, joined, statedAction, titleOf } from './words.ts';

/** A hit or a check, and its place among all of its side, counted from 0. `ticketUrl`: the template of the form of a ticket. */
type Place = Readonly<{ row: Row; at: number; list: readonly Row[]; ticketUrl?: string | undefined }>;

/** Said where a result no longer has the hit that a button names. */
export const HIT_GONE = 'The result has changed: this hit is no longer in it.';

/** The hit or the check that a button names; undefined where the result no longer has it. */
export function placeOf(key: HitKey, answers: Answers): Place | undefined {
  const hit = hitNamed(key, answers.result);
  const { open, accepted, passed } = rowsOf({ question: key.question }, answers);
  const list = hit?.match === 'miss' ? passed : [...open, ...accepted];
  const at = list.findIndex((row) => row.hit === hit);
  const row = list[at];
  return row && { row, at, list };
}

/** Longer texts end with how to get the rest. Characters. Windows take 250,000, messages 12,000. */
const IN_WINDOW = 30_000;
const IN_MESSAGE = 1_500;
const LONGEST_ADDRESS = 500;
const MOST_LISTED = 100;
/** Everything that is known of one hit, for one reader. `canShare`: whether there is a thread for it; `note`: what just happened. */
export function detailsWindow(place: Place, canShare: boolean, note = ''): types.ModalView {
  const { row, at, list, ticketUrl } = place;
  const { hit, question, result, accepted } = row;
  const to = (label: string, action: string, other: Row | undefined = row) =>
    ui.button(label, action, keyOf(other), titleOfHit(other.hit));
  const [previous, next] = [list[at - 1], list[at + 1]];
  const isHit = hit.match === 'hit';
  // Without an identity of the device, nothing is accepted for it.
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

/** The same as a message for the thread of its report. */
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

/** Where a text is too long, it says how much is left out. */
function cut(text: string, most: number): string {
  const left = text.length - most;
  return left > 0 ? `${shorten(text, most)}\n(${count(left)} characters more: export as CSV)` : text;
}

/** The evidence as one text, its blocks apart: by an empty line where any of them has several lines itself. */
function evidenceText({ output }: Diagnostic): string {
  return output.join(output.some((block) => block.includes('\n')) ? '\n\n' : '\n');
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

/** The longest links. Slack takes 3,000 characters; in a message the list of hits needs the room. */
export const TICKET = { inWindow: 2_900, inMessage: 1_200 } as const;

/** The button that opens the operator's form of a ticket, filled in with these hits; none without a template or hits. */
export function ticketButton(
  template: string | undefined,
  rows: readonly Row[],
  most: number,
): types.Button | undefined {
  const [first, ...others] = rows;
  if (template === undefined || first === undefined) return undefined;
  const { hit, question, result } = first;
  const about = titleOf({ question }, result);
  const lines = rows.slice(0, MOST_LISTED).flatMap((row) => {
    const ids = [row.hit.name, ...row.hit.cveIds].join(', ');
    return [`${rowTitle(row)} (${ids})`, actionLine(row)];
  });
  const [title, ...more] =
    others.length === 0
      ? [titleOfHit(hit), hit.summary, evidenceText(hit)]
      : [`${about}: ${levelCounts(hitsOf(rows))}`];
  const named = { title, snapshot: question.snapshotId, host: hostOf(result.device) };
  const filled = Object.entries(named).reduce(
    (link, [name, value = '']) => link.replace(`{${name}}`, encoded(value, (most - link.length) / 4)),
    template,
  );
  const text = encoded([about, ...lines, ...more].join('\n'), most - filled.length);
  return ui.linkButton('Create ticket ↗', ACTION.ticket, filled.replace('{text}', text));
}

/** Percent-encoded, so that it can't leave its parameter, and cut so that it has at most `most` characters then. */
function encoded(text: string, most: number): string {
  const start = shorten(text, Math.floor(most));
  const whole = encodeURIComponent(visible(start));
  return whole.length <= most ? whole : encoded(shorten(start, Math.floor(start.length * 0.95)), most);
}
