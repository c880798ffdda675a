import type { types } from '@slack/bolt';
import { acceptanceOf } from '../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countChecks, namedIn, sideOf } from '../../core/importance.ts';
import { type Asked, isDirect, type Question } from '../../core/lookup.ts';
import { Remembered } from '../../core/remembered.ts';
import type { Answers, Owner } from '../../lookups/lookup-status.ts';
import { type HitKey, hitKeyValue, type MessageState } from '../blocks/action-values.ts';
import {
  button,
  header,
  type Message,
  type RichElement,
  richText,
  smallText,
  words,
} from '../blocks/blocks.ts';
import { shorten, weigh } from '../blocks/limits.ts';
import { ALL_ACTION, CHECKS_ACTION, endOf } from './controls.ts';
import { acceptedHit, fitted, type HitContext, hitsOf, type Listed, textBeside, wholeSize } from './hit.ts';
import { levelCounts } from './levels.ts';
import { TICKET, ticketButton } from './ticket.ts';
import { allOf, count, counted, joined, nameOf, releaseOf, titleOf } from './words.ts';

/** What a message of one snapshot says between its title and the end. */
export type Body = {
  /** What matters most, a line each; and the first of them as a sentence for the text beside the blocks. */
  readonly lines: readonly RichElement[][];
  readonly summary: string;
  /** What is listed, most important first, how much of that is named, and what somebody accepted. */
  readonly hits: readonly Listed[];
  readonly named: number;
  readonly accepted: readonly Listed[];
  /** The line below them, by what is not named; or ''. */
  readonly closing: (unnamed: readonly Diagnostic[]) => string;
  readonly buttons: readonly types.Button[];
  /** Whether it lists something that somebody can take over. */
  readonly canBeOwned: boolean;
};

/** The hits of a result, and those of them that nobody or somebody accepted for the device; most important first. */
export function hitsIn({ result, accepted }: Pick<Answers, 'result' | 'accepted'>) {
  const all = sideOf(result, 'hit');
  const rows = all.map((hit): Listed => ({ hit, accepted: acceptanceOf(hit, accepted) }));
  return {
    all,
    open: rows.filter((each) => each.accepted === undefined),
    accepted: rows.filter((each) => each.accepted !== undefined),
  };
}

/** A hit of several results, or a change: whose it is, and the group that it belongs to. */
export type Grouped = Listed & {
  readonly question: Question;
  readonly result: DiagnosticsResult;
  readonly group?: string;
  /** It is no hit any more: nothing is to be done. */
  readonly isOver?: boolean;
};

/** Hits under one heading. */
export type Group = { readonly name: string; readonly rows: readonly Grouped[] };

/** Names are of any length, values are not. */
const LONGEST_NAME = 100;

/** Whether a key of a button means this name. */
export function isNamed(name: string, key: string): boolean {
  return shorten(name, LONGEST_NAME) === key;
}

/** How buttons name a diagnostic of a result. */
export function hitKeyOf(hit: Diagnostic, question: Question, result: DiagnosticsResult): HitKey {
  const nth = Math.max(namedIn(result, hit.name).indexOf(hit), 0);
  return { question, name: shorten(hit.name, LONGEST_NAME), nth };
}

/** What the Details button of a hit carries. */
export function detailsValue(hit: Diagnostic, question: Question, result: DiagnosticsResult): string {
  return hitKeyValue(hitKeyOf(hit, question, result));
}

/** What the hits of a result are drawn with. */
export function contextIn(question: Question, result: DiagnosticsResult): (hit: Diagnostic) => HitContext {
  return (hit) => ({ software: result.software, detailsValue: detailsValue(hit, question, result) });
}

/** `37 hits in 247 checks` */
export function totalOf({ question }: Asked, result: DiagnosticsResult): string {
  const { listed: sent, checks, unstated } = countChecks(result, question.set);
  const hits = counted(sent.hits ?? 0, 'hit');
  const total = checks === undefined ? hits : `${hits} in ${counted(checks, 'check')}`;
  return joined(', ', total, unstated > 0 && `${count(unstated)} with match not stated`);
}

/** `All 37 hits` */
export function allButton(answers: Answers): types.Button[] {
  const { length } = hitsIn(answers).all;
  return length === 0 ? [] : [button(allOf(length, 'hit'), ALL_ACTION)];
}

/** `All 247 checks`, where the document lists some that passed. */
export function checksButton({ question }: Asked, result: DiagnosticsResult): types.Button[] {
  const { length } = sideOf(result, 'miss');
  const { checks } = countChecks(result, question.set);
  if (length === 0) return [];
  return [
    button(checks === undefined ? counted(length, 'passed check') : allOf(checks, 'check'), CHECKS_ACTION),
  ];
}

/** Who sees a message, and who owns the device. */
export type Around = {
  readonly owner: Owner | undefined;
  readonly channel: string;
  readonly isPrivate: boolean;
  /** The thread of a private message. */
  readonly threadTs?: string | undefined;
  /** The template of the form of a ticket. */
  readonly ticketUrl?: string | undefined;
};

type BodyOf = (view: Asked, answers: Answers) => Body;

/** The message that shows one snapshot, the part of it that was asked for, or what a search finds in it. */
export function oneMessage(state: MessageState, answers: Answers, around: Around, bodyOf: BodyOf): Message {
  const { owner, channel, isPrivate, threadTs, ticketUrl } = around;
  const withTicket: BodyOf = (view, of) => {
    const body = bodyOf(view, of);
    const hits = body.hits.map(({ hit }) => hit);
    const ticket = ticketButton(ticketUrl, view.question, of.result, hits, TICKET.inMessage);
    return { ...body, buttons: [...body.buttons, ...ticket] };
  };
  const drawing = drawnOnce(state, answers, withTicket, ticketUrl);
  const { canBeOwned, blocks, text, verdict, buttons } = drawing;
  const canOwn = canBeOwned && !isPrivate && !isDirect(channel);
  const end = endOf(buttons, { state, owner, canOwn, readAt: answers.readAt, isPrivate, threadTs, verdict });
  return { text, blocks: [...blocks, ...end] };
}

type Drawn = Pick<Body, 'canBeOwned' | 'buttons'> & Message & { readonly verdict: string | undefined };

const drawn = new WeakMap<DiagnosticsResult, Remembered<Drawn>>();

/** A result is drawn once for all who ask the same about it; a search, whose matches belong to one of them, each time. */
function drawnOnce(
  { askedBy: _by, madeAt: _at, turn: _turn, ...view }: MessageState,
  answers: Answers,
  bodyOf: BodyOf,
  ticketUrl: string | undefined,
): Drawn {
  const { result, accepted, lastRead, hasNoLast, found } = answers;
  if (found !== undefined) return draw(view, answers, bodyOf);
  const views = drawn.get(result) ?? new Remembered<Drawn>();
  drawn.set(result, views);
  const key = JSON.stringify([view, accepted, lastRead, hasNoLast, ticketUrl]);
  const known = views.get(key) ?? draw(view, answers, bodyOf);
  views.set(key, known, 0);
  return known;
}

/** What the end of a message weighs at most. */
const END_WEIGHT = 1_700;

function draw(view: Asked, answers: Answers, bodyOf: BodyOf): Drawn {
  const { result } = answers;
  const body = bodyOf(view, answers);
  const { lines, hits, named, accepted, closing, canBeOwned, buttons } = body;
  const open = hits.map(({ hit }) => hit);
  const device = deviceLine(result);
  const title = titleOf(view, result);
  const top: types.KnownBlock[] = [
    header(title),
    richText(...lines),
    ...(device === '' ? [] : [smallText(device)]),
  ];
  const values = { contextOf: contextIn(view.question, result) };
  const blocks = fitted(END_WEIGHT + weigh(buttons.filter(({ url }) => url)), (room) => {
    const sizes = {
      ...room,
      named: Math.min(room.named, named),
      whole: Math.min(room.whole, wholeSize(open)),
    };
    const list = hitsOf(hits, sizes, values);
    const end = closing(list.rest.map(({ hit }) => hit));
    return [
      ...top,
      ...list.blocks,
      ...(end === '' ? [] : [richText([words(end)])]),
      ...accepted.slice(0, MOST_ACCEPTED).map(acceptedHit),
    ];
  });
  const verdict = Math.min(hits.length, named) > FEW ? verdictOf(view, result, open) : undefined;
  return { canBeOwned, buttons, verdict, blocks, text: textBeside(`${title}: ${body.summary}`, open) };
}

const MOST_ACCEPTED = 5;
/** So many named hits fit a screen: the verdict is not said again below them. */
const FEW = 5;
const LEVELS_IN_VERDICT = 2;

function verdictOf({ question }: Asked, result: DiagnosticsResult, hits: readonly Diagnostic[]): string {
  const [name = ''] = nameOf(result).split('.');
  const said = levelCounts(hits).slice(0, LEVELS_IN_VERDICT).join(', ');
  return `${joined(' of ', question.snapshotId, name)}: ${said}`;
}

const LONGEST_DEVICE_LINE = 200;

/** `Product 17.1.3 Point Release 3, build 240216 · C117 · serial chs600777s`, as much of it as is known; or ''. */
function deviceLine(result: DiagnosticsResult): string {
  const { platform, chassisSerial } = result.device;
  const serial = chassisSerial !== '' && `serial ${chassisSerial}`;
  return shorten(joined(' · ', releaseOf(result), platform, serial), LONGEST_DEVICE_LINE);
}
