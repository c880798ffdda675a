import {
  type DiagnosticSet,
  type DiagnosticsResult,
  isEarlier,
  type Match,
  type SnapshotId,
} from './diagnostics.ts';
import type { Filter } from './importance.ts';
import type { Search } from './searching.ts';

/** What is asked of the service: one snapshot's diagnostics, all of them or one side. */
export type Question = { readonly snapshotId: SnapshotId; readonly set: DiagnosticSet };

/**
 * The service's answer: the analysis, or that the snapshot is still processed: the reason or '', and for how many
 * milliseconds the service asks not to be asked again, if it names a time.
 */
export type DiagnosticsAnswer =
  | { readonly kind: 'ready'; readonly result: DiagnosticsResult }
  | { readonly kind: 'processing'; readonly reason: string; readonly pauseMs?: number };

/** A question as text, for keys: the same text for the same question only. */
export function questionKey(question: Question): string {
  return `${question.snapshotId}:${question.set}`;
}

export type Asked = {
  readonly question: Question;
  /** Further snapshots, which the answer shows side by side with this one, in this order. */
  readonly others?: readonly Question[];
  readonly before?: Question;
  /** Whether to compare with the last result of the same device; its id is known only after this snapshot was read. */
  readonly againstLast?: true;
  /** Which hits are shown first. */
  readonly filter?: Filter;
  /** What to search the analysis for. A search always asks for all diagnostics. */
  readonly search?: Search;
  /** For a search, the one side that is listed. The verdicts are about the whole analysis. */
  readonly side?: Match;
};

/** The most snapshots that one answer is about: each costs as much as a command. */
export const MOST_TOGETHER = 8;

/** One question for each snapshot of a request: in a comparison the earlier one first, else in the order of the request. */
export function questionsOf({ question, before, others = [] }: Asked): readonly Question[] {
  return before === undefined ? [question, ...others] : [before, question];
}

/** The snapshots of a request: `1001`, `1010 → 1011` or `1014, 1015`. */
export function idsText(asked: Asked): string {
  const ids = questionsOf(asked).map(({ snapshotId }) => snapshotId);
  return ids.join(asked.before === undefined ? ', ' : ' → ');
}

/** Two questions as a comparison has them: the snapshot that was uploaded earlier is `before`. */
export function inOrder(one: Question, other: Question): Required<Pick<Asked, 'question' | 'before'>> {
  const isReversed = isEarlier(other.snapshotId, one.snapshotId);
  return isReversed ? { before: other, question: one } : { before: one, question: other };
}

/**
 * The request with this search in place of its own; with an empty one, without a search. A search asks for all
 * diagnostics, because only these show that a check ran without a hit; the side that was asked for becomes `side`.
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

/** A question, who asks it, and where the answer belongs. */
export type LookupRequest = Asked & {
  readonly askedBy: string;
  /** Whether a result from before the request is good enough. */
  readonly mayBeCached?: true;
  readonly destination: Destination;
  /** Whether the asker also follows the snapshot. */
  readonly watch?: true;
  /** The delivery of Slack that asked for it: if Slack repeats the delivery, no second lookup is stored. */
  readonly delivery?: string;
};

/** How long a delivery is remembered: longer than Slack's own retries last, even if the clock steps by hours meanwhile. */
export const REMEMBERED_MS = 24 * 3_600_000;

/** A request that was accepted: it ends in exactly one final message. Times are epoch milliseconds. */
export type Lookup = LookupRequest & {
  readonly id: string;
  readonly acceptedAt: number;
  readonly deadline: number;
};

/**
 * Where an answer belongs, and how it can get there. It is stored with the lookup, so that it survives a restart.
 * Only `slack/` reads or writes its fields.
 */
export type Destination = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string;
  /** Whether the thread has replies already. Slack may not show an ephemeral message that would be the first reply. */
  readonly hasThread?: boolean;
  /** The bot's own message there, which later updates edit. */
  readonly messageTs?: string;
  /** Set if Slack did not confirm a post: the message may exist. */
  readonly mayBePosted?: true;
  /** The response URL, for conversations that the bot is not a member of. */
  readonly response?: ResponseUrl;
  /** The link that a user pasted: its preview is shown under it, and nothing is posted. */
  readonly link?: PastedLink;
};

/** A link in a person's message, and how Slack finds it there. */
type PastedLink = {
  readonly url: string;
  /** The message that holds it, and the thread of that message. */
  readonly messageTs: string;
  readonly threadTs?: string;
  /** Slack's name for that message, which works also where the bot is no member. */
  readonly unfurlId?: string;
};

/** Slack's one-off address for a command or a click: 30 minutes, five posts. */
export type ResponseUrl = {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** A click's address can replace the message that was clicked; a command's can only post. */
  readonly replaces: boolean;
  /** How many posts it has taken. */
  readonly uses?: number;
  /** Whether the answer uses this URL already, because Slack refused the bot's own post in the channel. */
  readonly isInUse?: boolean;
  /** Whether Slack took the final answer through it: then a repeated step only runs the hooks. */
  readonly hasAnswer?: boolean;
};

/** How long Slack takes posts through a response URL. Milliseconds. */
const RESPONSE_URL_MS = 30 * 60_000;

/** The response URL of a delivery that came at `now`. */
export function responseUrl(url: string, replaces: boolean, now: number): ResponseUrl {
  return { url, replaces, expiresAt: now + RESPONSE_URL_MS };
}

/** Whether only one person sees the answer, in a conversation with others. */
export function isPrivately({ response }: Destination): boolean {
  return response?.isInUse === true || response?.replaces === true;
}

/** Whether a conversation has one person alone, by its own id or by the person's. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}

/** Whether an asker is another app, by its app id: it is no member, has no direct message, and can't be mentioned. */
export function isApp(asker: string): boolean {
  return asker.startsWith('A');
}

/** One entry of the audit: who did what, and when. It never holds a text of a result or what a person typed. */
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
  /** Written at the start: the settings that say who may do what. */
  readonly configuration?: Readonly<Record<string, unknown>>;
};

/** Writes an entry. Never throws: an entry that cannot be written is reported in the log. */
export type Audit = (entry: AuditEntry) => void;
