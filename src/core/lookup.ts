import {
  type DiagnosticSet,
  type DiagnosticsResult,
  isEarlier,
  type Match,
  type SnapshotId,
} from './diagnostics.ts';
import type { Filter } from './importance.ts';
import type { Search } from './searching.ts';

/** A question to the service: the diagnostics of one snapshot, either all, only hits or only passed checks. */
export type Question = { readonly snapshotId: SnapshotId; readonly set: DiagnosticSet };

/**
 * The service's answer: the analysis, or that it is still processing the snapshot. `reason`: the service's text or ''.
 * `pauseMs`: how long the service asks the bot to wait.
 */
export type DiagnosticsAnswer =
  | { readonly kind: 'ready'; readonly result: DiagnosticsResult }
  | { readonly kind: 'processing'; readonly reason: string; readonly pauseMs?: number };

/** The question as a key of the store; different questions have different keys. */
export function questionKey(question: Question): string {
  return `${question.snapshotId}:${question.set}`;
}

export type Asked = {
  readonly question: Question;
  /** Further snapshots, which the report shows beside the first snapshot, in this order. */
  readonly others?: readonly Question[];
  readonly before?: Question;
  /** Compares with the device's previous result, whose snapshot is known only after `question` was answered. */
  readonly againstLast?: true;
  /** Which hits the report shows. */
  readonly filter?: Filter;
  /** What to search for. A search always requests all diagnostics. */
  readonly search?: Search;
  /** Whether a search lists hits or passed checks; its verdicts cover all diagnostics. */
  readonly side?: Match;
};

/** The most snapshots in one request: each costs the service as much as a command of its own. */
export const MOST_TOGETHER = 8;

/** The questions of a request, one for each snapshot; a comparison has the earlier snapshot first. */
export function questionsOf({ question, before, others = [] }: Asked): readonly Question[] {
  return before === undefined ? [question, ...others] : [before, question];
}

/** The snapshot ids of a request as text: `1001`, `1010 → 1011` or `1014, 1015`. */
export function idsText(asked: Asked): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  return ids.join(asked.before === undefined ? ', ' : ' → ');
}

/** Orders two questions for a comparison: the snapshot that was uploaded first is `before`. */
export function inOrder(one: Question, other: Question): Required<Pick<Asked, 'question' | 'before'>> {
  const isReversed = isEarlier(other.snapshotId, one.snapshotId);
  return isReversed ? { before: other, question: one } : { before: one, question: other };
}

/**
 * The request with its search replaced; an empty search removes it. A search requests all diagnostics, because only a
 * full document shows that a check passed; the requested `set` is kept in `side`.
 */
export function withSearch<A extends Asked>(
  { search: _before, side, ...asked }: A,
  search: Search,
): Omit<A, 'search' | 'side'> & Pick<Asked, 'search' | 'side'> {
  const shown = side ?? asked.question.set;
  const set = search.length === 0 ? shown : 'all';
  const of = ({ snapshotId }: Question): Question => ({ snapshotId, set });
  const others = asked.others?.map(of);
  const request = { ...asked, question: of(asked.question), ...(others && { others }) };
  if (search.length === 0) return request;
  return { ...request, search, ...(shown !== 'all' && { side: shown }) };
}

/** What is asked, who asks, and where the answer is delivered. */
export type LookupRequest = Asked & {
  readonly askedBy: string;
  /** Whether a cached result is good enough. */
  readonly mayBeCached?: true;
  readonly destination: Destination;
  /** Whether the person who asks also follows the snapshot. */
  readonly watch?: true;
  /** The id of the Slack delivery: if Slack repeats it, no second lookup is stored. */
  readonly delivery?: string;
};

/** How long a delivery id is remembered: longer than Slack retries, even if the clock jumps by hours. */
export const REMEMBERED_MS = 24 * 3_600_000;

/** An accepted request. It ends with exactly one final message. Times are epoch milliseconds. */
export type Lookup = LookupRequest & {
  readonly id: string;
  readonly acceptedAt: number;
  readonly deadline: number;
};

/** Where and how an answer is delivered. It is stored with the lookup, so it survives a restart. */
export type Destination = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string;
  /** Whether the thread already has replies: Slack may hide an ephemeral message that is the first reply. */
  readonly hasThread?: boolean;
  /** The bot's own message for this lookup; later updates edit it. */
  readonly messageTs?: string;
  /** Set if Slack did not confirm a post, so the message may or may not exist. */
  readonly mayBePosted?: true;
  /** The response URL, for conversations in which the bot is not a member. */
  readonly response?: ResponseUrl;
  /** The link that a user pasted. The answer is shown as its preview, and no message is posted. */
  readonly link?: PastedLink;
};

/** A link in a user's message, with the ids that Slack needs to show its preview. */
type PastedLink = {
  readonly url: string;
  /** The message with the link. */
  readonly messageTs: string;
  readonly threadTs?: string;
  /** Slack's unfurl id of that message, which also works where the bot is not a member. */
  readonly unfurlId?: string;
};

/** The response URL of a command or a click; it accepts five posts within 30 minutes. */
export type ResponseUrl = {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** The URL of a click can replace the clicked message; the URL of a command can only post. */
  readonly replaces: boolean;
  /** How many posts were sent to this URL. */
  readonly uses?: number;
  /** Whether updates use this URL because Slack refused the bot's own post in the channel. */
  readonly isInUse?: boolean;
  /** Whether the final answer was sent through this URL; a repeated step then only runs the hooks. */
  readonly hasAnswer?: boolean;
};

/** How long Slack accepts posts to a response URL. Milliseconds. */
const RESPONSE_URL_MS = 30 * 60_000;

/** The response URL of a delivery received at `now`. */
export function responseUrl(url: string, replaces: boolean, now: number): ResponseUrl {
  return { url, replaces, expiresAt: now + RESPONSE_URL_MS };
}

/** Whether only one person in the conversation sees the answer. */
export function isPrivately({ response }: Destination): boolean {
  return response?.isInUse === true || response?.replaces === true;
}

/** Whether a channel id is that of a direct message or of a user. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}

/** Whether the asker is an app, judged by its app id: an app has no direct messages and can't be mentioned. */
export function isApp(asker: string): boolean {
  return asker.startsWith('A');
}

/** One entry of the audit log: who did what. It never contains text of a result or text that a user typed. */
export type AuditEntry = {
  readonly event:
    | 'started'
    | 'accepted'
    | 'refused'
    | 'answered'
    | 'browsed'
    | 'previewed'
    | 'cancelled'
    | 'on it'
    | 'follow'
    | 'shared'
    | 'hit accepted'
    | 'exported';
  readonly user?: string;
  readonly channel?: string | undefined;
  readonly snapshot?: string;
  readonly before?: string;
  readonly others?: readonly string[];
  readonly lookup?: string;
  readonly outcome?: string;
  /** Only in the entry of a start: the settings that decide who may do what. */
  readonly configuration?: Readonly<Record<string, unknown>>;
};

/** Writes an entry to the audit log. Never throws: a failed write is logged. */
export type Audit = (entry: AuditEntry) => void;
