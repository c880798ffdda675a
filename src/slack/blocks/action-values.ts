import { z } from 'zod';
import { DIAGNOSTIC_SETS, isSnapshotId } from '../../core/diagnostics.ts';
import { CVE_FILTERS, LEVEL_GROUPS } from '../../core/importance.ts';
import { type Asked, type LookupRequest, type Question, withSearch } from '../../core/lookup.ts';
import { readSearch, searchText } from '../../core/searching.ts';
import { bytesOf, LIMITS } from './limits.ts';

/** The action ids of buttons and menus. Some get a suffix, because Slack requires unique ids in a message or window. */
export const ACTION = {
  all: 'all-hits',
  checks: 'checks',
  search: 'search',
  filter: 'filter',
  page: 'page-',
  details: 'details',
  previous: 'previous',
  next: 'next',
  share: 'share',
  accept: 'accept',
  takeBack: 'take-back',
  ticket: 'ticket',
  own: 'own',
  handOver: 'hand-over',
  menu: 'more',
  postHere: 'post-here',
  /** Opens the report of the later of two compared snapshots. */
  report: 'report',
  /** The button's value is the comparison to make. */
  compare: 'compare-last',
  /** The button's value is the suggested command. */
  didYouMean: 'did-you-mean',
  /** The buttons “Keep waiting” and “Try again”. */
  askAgain: 'ask-again',
  cancel: 'cancel',
  tellMe: 'tell-me-too',
  lookUp: 'open-look-up',
  myLookups: 'my-lookups',
  commands: 'all-commands',
  devices: 'my-devices',
  again: 'look-up-again-',
} as const;

/** The state of a message that shows a result. The message itself holds it for clicks. Times are epoch milliseconds. */
export type MessageState = Asked & {
  /** Who asked. Only for display: the authoritative record is in the store. */
  readonly askedBy: string;
  /** When the first result of the message was read. */
  readonly madeAt: number;
  /** Grows each time the message is drawn, because Slack requires a new block id in each update. */
  readonly turn: number;
};

/** Identifies a diagnostic: by its name and, if several have that name, by its position among them, counted from 0. */
export type HitKey = { readonly question: Question; readonly name: string; readonly nth: number };

/** Matches a user id. Any other text in a mention, such as `!channel`, could notify a whole channel. */
export const userId = z.string().regex(/^[UW][A-Z0-9]{1,254}$/);
/** Matches the id of a user or an app. */
const askerId = z.string().regex(/^[AUW][A-Z0-9]{1,40}$/);
const snapshotId = z.string().refine(isSnapshotId);
const set = z.enum(DIAGNOSTIC_SETS).default('all');
const viewShape = z.strictObject({
  ...{ id: snapshotId, set, before: snapshotId.optional() },
  with: z.array(snapshotId).optional(),
  levels: z.array(z.enum(LEVEL_GROUPS)).exactOptional(),
  cve: z.enum(CVE_FILTERS).exactOptional(),
  q: z.string().optional(),
  last: z.literal(true).exactOptional(),
});
/** Epoch milliseconds within the range of a Date. */
const time = z.int().min(0).max(8.64e15);
const stateShape = viewShape.extend({ by: askerId, at: time, turn: z.int().min(0) });
/** `watch`: who also asked to follow the snapshot. */
const againShape = viewShape.extend({ watch: userId.exactOptional() });
const hitShape = z.object({ id: snapshotId, set, hit: z.string(), nth: z.int().min(0).default(0) });

/** Encodes a request as a button's value. `set` applies to both snapshots of a comparison. */
export function viewValue(view: Asked): string {
  return JSON.stringify(viewFields(view));
}

type Again = Asked & Partial<Pick<LookupRequest, 'askedBy' | 'watch'>>;

/** Encodes a request that ended without a result, for “Try again” and “Keep waiting”. */
export function againValue({ askedBy, watch, ...view }: Again): string {
  return JSON.stringify({ ...viewFields(view), ...(watch && { watch: askedBy }) });
}

/** Encodes a message's state as the id of its last row of buttons. A click sends it even from an ephemeral message. */
export function stateValue({ askedBy: by, madeAt: at, turn, ...view }: MessageState): string {
  return JSON.stringify({ ...viewFields(view), by, at, turn });
}

const LONGEST_USER = 13;

/** Whether a request fits into the state of a message, even after many redraws. */
export function hasRoomFor(asked: Asked): boolean {
  const state = { ...asked, askedBy: 'U'.padEnd(LONGEST_USER), madeAt: 1e12, turn: 1e10 };
  return bytesOf(stateValue(state)) <= LIMITS.blockId;
}

export function hitKeyValue({ question, name, nth }: HitKey): string {
  return JSON.stringify({ ...viewFields({ question }), hit: name, ...(nth > 0 && { nth }) });
}

/** Reads what `viewValue` encoded. All readers here throw `UnreadableValue` for a forged or outdated value. */
export function readView(value: string | undefined): Asked {
  return viewOf(readCarried(viewShape, value));
}

/** Reads what `againValue` encoded. A follow is only for the person who asked for it. */
export function readAgain(value: string | undefined, user: string): Asked & Pick<LookupRequest, 'watch'> {
  const { watch, ...view } = readCarried(againShape, value);
  return { ...viewOf(view), ...(watch === user && { watch: true }) };
}

export function readState(value: string | undefined): MessageState {
  const { by: askedBy, at: madeAt, turn, ...view } = readCarried(stateShape, value);
  return { ...viewOf(view), askedBy, madeAt, turn };
}

export function readHitKey(value: string | undefined): HitKey {
  const { id, set, hit, nth } = readCarried(hitShape, value);
  return { question: { snapshotId: id, set }, name: hit, nth };
}

function viewFields({ question, others, before, filter, search, side, againstLast: last }: Asked) {
  // A search requests all diagnostics; `side` tells whether it lists only hits or only passed checks.
  const set = side ?? question.set;
  return {
    id: question.snapshotId,
    ...(set !== 'all' && { set }),
    with: others?.map(({ snapshotId }) => snapshotId),
    before: before?.snapshotId,
    ...filter,
    q: search && searchText(search),
    last,
  };
}

function viewOf({ id, set, with: others, before, q, last, ...filter }: z.infer<typeof viewShape>): Asked {
  const of = (snapshotId: Question['snapshotId']): Question => ({ snapshotId, set });
  const asked = { question: of(id), ...(others && { others: others.map(of) }) };
  return {
    ...(q === undefined ? asked : withSearch(asked, readSearch(q))),
    ...(before !== undefined && { before: of(before) }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(last && { againstLast: last }),
  };
}

/** A button, a menu or a window has a value that this version of the bot can't read. The error does not quote it. */
export class UnreadableValue extends Error {
  constructor() {
    super('refused a value that this version of the bot cannot have written');
  }
}

/** Reads the JSON in a button, a block id or a window. Throws `UnreadableValue`. */
export function readCarried<T>(shape: z.ZodType<T>, text: string | undefined): T {
  try {
    return shape.parse(JSON.parse(text ?? ''));
  } catch {
    throw new UnreadableValue();
  }
}
