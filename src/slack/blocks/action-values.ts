import { z } from 'zod';
import { CHANGES, type Change, SHARES, type Share } from '../../core/comparing.ts';
import { DIAGNOSTIC_SETS, isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { CVE_FILTERS, type Filter, LEVEL_GROUPS } from '../../core/importance.ts';
import { type Asked, MOST_TOGETHER, type Question, withSearch } from '../../core/lookup.ts';
import { readSearch, searchText } from '../../core/searching.ts';
import { bytesOf, LIMITS, shorten } from './limits.ts';

/** What a message shows: the request, and which of a comparison's changes, or of the hits of several snapshots. */
export type View = Asked & { readonly show?: Change | Share };

/** The choices of `show`. */
export const SHOWS = [...CHANGES, ...SHARES] as const;

/** The state of a message, so that a click can change what it shows. Times are epoch milliseconds. */
export type ViewState = View & {
  /** Counted from 0. */
  readonly page: number;
  /** Shown, and decides nothing: whose a lookup is, the store says. */
  readonly askedBy: string;
  /** When the result that the message was made of was read, and the earlier one of a comparison. */
  readonly madeAt: number;
  readonly beforeMadeAt?: number;
  /** How often the message was drawn: Slack wants a new block id for each update. */
  readonly turn: number;
  /** The thread that a private message belongs to, for "Show to everyone"; left out where the id has no room for it. */
  readonly threadTs?: string;
};

/** A part of the details of one hit. Part and hit count from 0, the hit in the order of its view. `name` may be cut. */
export type HitValue = {
  readonly view: View;
  readonly hit: number;
  readonly name: string;
  readonly part: number;
};

/** The id of a person; not `!channel`, which stands between the same brackets. */
export const userId = z
  .string()
  .regex(/^[UW][A-Z0-9]+$/)
  .max(255);
const snapshotId = z.string().refine(isSnapshotId);
const filterShape = z.object({
  levels: z.array(z.enum(LEVEL_GROUPS)).exactOptional(),
  cve: z.enum(CVE_FILTERS).exactOptional(),
});
/** The other snapshots of several, in one text: a block's id has little room. */
function idsIn(text: string, { addIssue }: { addIssue: (message: string) => void }): SnapshotId[] {
  const ids = text.split(' ').filter(isSnapshotId);
  if (ids.length >= MOST_TOGETHER || ids.join(' ') !== text) addIssue('no ids of snapshots');
  return ids;
}
const viewShape = z.object({
  id: snapshotId,
  set: z.enum(DIAGNOSTIC_SETS),
  before: snapshotId.optional(),
  with: z.string().transform(idsIn).optional(),
  filter: z.string().optional(),
  show: z.enum(SHOWS).optional(),
  q: z.string().optional(),
  last: z.literal(true).optional(),
});
const showShape = viewShape.extend({ thread: z.string().optional() });
/** Epoch milliseconds that are a date. */
const time = z.int().min(0).max(8.64e15);
const stateShape = viewShape.extend({
  page: z.int().min(0),
  by: userId,
  at: time,
  at0: time.optional(),
  turn: z.int().min(0),
  thread: z.string().optional(),
});
const waitShape = z.object({ lookup: z.string() });
const hitShape = viewShape.extend({ hit: z.int().min(0), name: z.string(), part: z.int().min(0) });

/** Names can be of any length, values cannot. */
const LONGEST_NAME = 60;

/** A name as it is cut for a value, to compare with. */
export function nameInValue(name: string): string {
  return shorten(name, LONGEST_NAME);
}

/** A filter as the short value of an option. */
export function filterValue({ levels: shown = [], cve }: Filter): string {
  return `${shown.join('.')}/${cve ?? ''}`;
}

/** A view as the value of a button. Both snapshots of a comparison have the same set. */
export function viewValue(view: View): string {
  return JSON.stringify(viewFields(view));
}

/** The view and the thread of "Show to everyone", as the value of its button. */
export function showValue(view: View, thread: string | undefined): string {
  return JSON.stringify({ ...viewFields(view), thread });
}

/**
 * The state of a message, as the id of the block with its controls: every action in the block carries it, also on
 * ephemeral messages.
 */
export function stateValue(state: ViewState): string {
  const { page, askedBy: by, madeAt: at, beforeMadeAt: at0, turn, threadTs: thread } = state;
  const fields = { ...viewFields(state), page, by, at, at0, turn };
  const whole = JSON.stringify({ ...fields, thread });
  return bytesOf(whole) <= LIMITS.blockId ? whole : JSON.stringify(fields);
}

const LONGEST_FILTER = filterValue({ levels: ['critical', 'high'], cve: 'without' });
const LONGEST_USER = 13;

/** Whether the state of a message has room for a request, whatever people choose there and however often it is drawn. */
export function hasRoomFor(asked: Asked): boolean {
  const fields = { ...viewFields(asked), show: SHARES[0], page: 999, at: 1e12, turn: 9_999 };
  const filters = [fields.filter ?? '', LONGEST_FILTER].toSorted((one, other) => other.length - one.length);
  const widest = { ...fields, filter: filters[0], by: 'U'.padEnd(LONGEST_USER) };
  return bytesOf(JSON.stringify(widest)) <= LIMITS.blockId;
}

export function hitValue({ view, hit, name, part }: HitValue): string {
  return JSON.stringify({ ...viewFields(view), hit, name: nameInValue(name), part });
}

/** The lookup that a message waits for, as the value of "Cancel" and "Tell me too". */
export function waitValue(lookupId: string): string {
  return JSON.stringify({ lookup: lookupId });
}

/**
 * The readers throw `UnreadableValue` if the text has another form: another version of the bot wrote it, or it was made
 * up.
 */
export function readFilter(value: string | undefined): Filter {
  const [shown = '', cve = ''] = (value ?? '').split('/');
  return known(filterShape, { ...(shown && { levels: shown.split('.') }), ...(cve && { cve }) });
}

export function readView(value: string | undefined): View {
  return viewOf(readCarried(viewShape, value));
}

export function readShow(value: string | undefined): { readonly view: View; readonly threadTs?: string } {
  const { thread, ...view } = readCarried(showShape, value);
  return { view: viewOf(view), ...(thread !== undefined && { threadTs: thread }) };
}

export function readState(value: string | undefined): ViewState {
  const { page, by: askedBy, at: madeAt, at0, turn, thread, ...view } = readCarried(stateShape, value);
  const made = { madeAt, ...(at0 !== undefined && { beforeMadeAt: at0 }) };
  return { ...viewOf(view), page, askedBy, ...made, turn, ...(thread !== undefined && { threadTs: thread }) };
}

export function readHit(value: string | undefined): HitValue {
  const { hit, name, part, ...view } = readCarried(hitShape, value);
  return { view: viewOf(view), hit, name, part };
}

export function readWait(value: string | undefined): string {
  return readCarried(waitShape, value).lookup;
}

function viewFields({ question, others, before, filter, show, search, side, againstLast: last }: View) {
  // A search always covers all diagnostics, so here `set` is the side that is listed.
  const { snapshotId: id, set: asked } = question;
  const set = side ?? asked;
  const q = search && searchText(search);
  const more = others?.map(({ snapshotId: other }) => other).join(' ');
  const filtered = filter && filterValue(filter);
  return { id, set, with: more, before: before?.snapshotId, filter: filtered, show, q, last };
}

function viewOf({ id, set, with: more, before, filter, show, q, last }: z.infer<typeof viewShape>): View {
  const others = more?.map((snapshotId): Question => ({ snapshotId, set }));
  const asked = { question: { snapshotId: id, set }, ...(others && { others }) };
  return {
    ...(q === undefined ? asked : withSearch(asked, readSearch(q))),
    ...(before !== undefined && { before: { snapshotId: before, set } }),
    ...(filter !== undefined && { filter: readFilter(filter) }),
    ...(show && { show }),
    ...(last && { againstLast: last }),
  };
}

/** A button, a menu or a modal carries a value that this version of the bot cannot read. The message holds none of it. */
export class UnreadableValue extends Error {
  constructor() {
    super('refused a value that this version of the bot cannot have written');
  }
}

/** Reads the JSON that a button, a block or a modal carries. Throws `UnreadableValue`. */
export function readCarried<T>(shape: z.ZodType<T>, text: string | undefined): T {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    throw new UnreadableValue();
  }
  return known(shape, value);
}

/** A value that has this shape. Throws `UnreadableValue`. */
function known<T>(shape: z.ZodType<T>, value: unknown): T {
  const read = shape.safeParse(value);
  if (!read.success) throw new UnreadableValue();
  return read.data;
}
