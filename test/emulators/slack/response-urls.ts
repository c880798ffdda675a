import { randomUUID } from 'node:crypto';
import { checkContent } from './content.ts';
import type { Journal } from './journal.ts';
import { isRecord, type Json } from './json.ts';
import type { StoredMessage } from './model.ts';
import { Refusal } from './refusal.ts';
import { TEAM } from './seed.ts';
import type { Workspace } from './workspace.ts';

const LIFE_MS = 30 * 60 * 1000;
const MOST_POSTS = 5;

/** The command or click that a response URL was issued for. */
export interface Origin {
  readonly kind: 'command' | 'action';
  readonly channel: string;
  readonly user: string;
  /** The message that was clicked. */
  readonly message?: StoredMessage | undefined;
}

interface Issued {
  readonly origin: Origin;
  readonly at: number;
  posts: number;
}

/** The response URLs, by which the bot can answer where it is not a member: for 30 minutes, at most five posts each. */
export class ResponseUrls {
  readonly #workspace: Workspace;
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #issued = new Map<string, Issued>();
  #base = '';

  constructor(workspace: Workspace, journal: Journal, now: () => number) {
    this.#workspace = workspace;
    this.#journal = journal;
    this.#now = now;
  }

  /** Sets the base URL of the server. */
  serveAt(base: string): void {
    this.#base = base;
  }

  /** Issues a new URL. */
  issue(origin: Origin): string {
    const kind = origin.kind === 'command' ? 'commands' : 'actions';
    const path = `/${kind}/${TEAM.id}/${this.#issued.size + 1}/${randomUUID()}`;
    this.#issued.set(path, { origin, at: this.#now(), posts: 0 });
    return `${this.#base}${path}`;
  }

  /** Handles a post to one of the URLs; returns the body of Slack's answer. */
  take(path: string, body: unknown): Json | string {
    const issued = this.#issued.get(path);
    if (!issued) throw new Refusal('no_service', `unknown ${path}`);
    if (this.#now() - issued.at > LIFE_MS) throw new Refusal('expired_url', 'older than 30 minutes');
    if (issued.posts >= MOST_POSTS) throw new Refusal('used_url', 'a sixth post');
    if (this.#workspace.channelById(issued.origin.channel)?.archived === true)
      throw Refusal.ofTheWorld('is_archived');
    if (!isRecord(body)) throw new Refusal('invalid_payload', 'the body is not a JSON object');
    this.answer(issued.origin, body);
    issued.posts += 1;
    return issued.origin.kind === 'command' ? 'ok' : { ok: true };
  }

  /** Carries out a post: adds a message, or replaces or deletes the clicked message. */
  answer(origin: Origin, body: Json): void {
    const original = origin.message;
    if (body.delete_original === true && original) {
      this.#workspace.remove(original);
      return;
    }
    const content = checkContent(body, { workspace: this.#workspace, journal: this.#journal });
    if (body.replace_original === true && original) {
      if (original.deleted) throw Refusal.ofTheWorld('message_not_found');
      this.#workspace.edit(original, content.text, content.blocks);
      return;
    }
    const onlyFor = body.response_type === 'in_channel' ? undefined : origin.user;
    const threadTs = this.#thread(origin, body.thread_ts);
    const { channel } = origin;
    if (onlyFor !== undefined && threadTs !== undefined && !this.#workspace.isThread(channel, threadTs)) {
      this.#journal.breach(`nobody sees it, because ${threadTs} has no replies`);
      return;
    }
    this.#workspace.post({ channel, user: TEAM.botUser, ...content, threadTs, onlyFor });
  }

  #thread(origin: Origin, ts: unknown): string | undefined {
    if (ts === undefined) return undefined;
    const parent = this.#workspace.find(origin.channel, String(ts));
    if (!parent) throw new Refusal('thread_not_found', `no message ${String(ts)}`);
    return parent.threadTs ?? parent.ts;
  }
}
