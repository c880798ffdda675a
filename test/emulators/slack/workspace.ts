import type { Journal } from './journal.ts';
import type { Json } from './json.ts';
import type { Channel, StoredMessage, Unfurl, User, VisibleMessage } from './model.ts';
import { conversation, type Seed, TEAM } from './seed.ts';

/** The fields of a new message. */
export interface Draft {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly threadTs?: string | undefined;
  readonly onlyFor?: string | undefined;
  readonly extras?: Json;
  /** When it was written, if not now. Epoch milliseconds. */
  readonly at?: number | undefined;
}

/** The people, conversations and messages of the workspace. */
export class Workspace {
  readonly users: User[];
  readonly channels: Channel[];
  readonly messages: StoredMessage[] = [];
  readonly #journal: Journal;
  readonly #now: () => number;
  #lastMicros = 0;

  constructor(seed: Seed, journal: Journal, now: () => number) {
    this.users = [...seed.users];
    this.channels = seed.channels.map((channel) => ({ ...channel, members: new Set(channel.members) }));
    this.#journal = journal;
    this.#now = now;
  }

  /** A new timestamp, later than all before. */
  nextTs(at = this.#now()): string {
    this.#lastMicros = Math.max(Math.floor(at * 1000), this.#lastMicros + 1);
    const micros = String(this.#lastMicros % 1_000_000).padStart(6, '0');
    return `${Math.floor(this.#lastMicros / 1_000_000)}.${micros}`;
  }

  /** The person with this id or name (`@` allowed). */
  user(idOrName: string): User | undefined {
    const name = idOrName.replace(/^@/, '');
    return this.users.find((user) => user.id === idOrName || user.name === name);
  }

  /** The conversation with this id. */
  channelById(id: string): Channel | undefined {
    return this.channels.find((channel) => channel.id === id);
  }

  /** The conversation with this id or name (`#` allowed), or the bot's DM with `@name`. */
  channel(idOrName: string): Channel | undefined {
    if (idOrName.startsWith('@')) return this.dm(idOrName);
    const name = idOrName.replace(/^#/, '');
    return this.channels.find((channel) => channel.id === idOrName || channel.name === name);
  }

  /** The conversation between the bot and a person; opened when there was none. */
  dm(idOrName: string): Channel {
    const user = this.user(idOrName);
    if (!user) throw new Error(`There is no user ${idOrName}`);
    const known = this.channels.find(
      (channel) => channel.kind === 'im' && channel.members.has(user.id) && channel.members.has(TEAM.botUser),
    );
    if (known) return known;
    const id = `D0BOT${user.id.slice(1)}`;
    const opened = conversation(id, `dm-${user.name}`, 'im', [user.id, TEAM.botUser]);
    this.channels.push(opened);
    this.#journal.tell({ type: 'other' });
    return opened;
  }

  /** Adds a message. */
  post(draft: Draft): StoredMessage {
    const { at = this.#now() } = draft;
    const message: StoredMessage = {
      channel: draft.channel,
      ts: this.nextTs(at),
      user: draft.user,
      at,
      threadTs: draft.threadTs,
      onlyFor: draft.onlyFor,
      extras: draft.extras ?? {},
      history: [],
      unfurls: new Map(),
      text: draft.text,
      blocks: draft.blocks ?? [],
      editedTs: undefined,
      deleted: false,
    };
    this.messages.push(message);
    this.#journal.tell({ type: 'message', change: 'posted', message });
    return message;
  }

  /** Changes the previews of a message's links; the message itself stays unchanged. */
  unfurl(message: StoredMessage, changes: ReadonlyMap<string, Unfurl>): void {
    for (const [url, shown] of changes) message.unfurls.set(url, shown);
    this.#journal.tell({ type: 'message', change: 'unfurled', message });
  }

  /** Edits a message; its earlier text and blocks go into its history. */
  edit(message: StoredMessage, text: string, blocks: readonly Json[]): void {
    message.history.push({ text: message.text, blocks: message.blocks, at: this.#now() });
    message.text = text;
    message.blocks = blocks;
    message.editedTs = this.nextTs();
    this.#journal.tell({ type: 'message', change: 'edited', message });
  }

  /** Marks a message as deleted. */
  remove(message: StoredMessage): void {
    message.deleted = true;
    this.#journal.tell({ type: 'message', change: 'deleted', message });
  }

  /** The message with this timestamp, deleted and ephemeral ones too. */
  find(channel: string, ts: string): StoredMessage | undefined {
    return this.messages.find((message) => message.channel === channel && message.ts === ts);
  }

  /** Whether a message has a reply that everybody can see; only then Slack shows its thread. */
  isThread(channel: string, ts: string): boolean {
    return this.messages.some(
      (message) =>
        message.channel === channel &&
        message.threadTs === ts &&
        message.ts !== ts &&
        !message.deleted &&
        message.onlyFor === undefined,
    );
  }

  /** The `thread_ts` of a message in payloads; the first message of a thread has its own timestamp. */
  threadOf({ channel, ts, threadTs }: StoredMessage): string | undefined {
    return threadTs ?? (this.isThread(channel, ts) ? ts : undefined);
  }

  /** The messages that a person sees in a conversation, oldest first; none if the person is not a member. */
  seenBy(viewer: string, channel: Channel): VisibleMessage[] {
    if (!channel.members.has(viewer)) return [];
    return this.messages
      .filter((message) => message.channel === channel.id && !message.deleted)
      .filter((message) => message.onlyFor === undefined || message.onlyFor === viewer)
      .map(visible);
  }
}

/** A stored message as people see it. */
export function visible(message: StoredMessage): VisibleMessage {
  return {
    channel: message.channel,
    ts: message.ts,
    user: message.user,
    text: message.text,
    blocks: message.blocks,
    at: message.at,
    ...(message.threadTs === undefined ? {} : { threadTs: message.threadTs }),
    ...(message.onlyFor === undefined ? {} : { ephemeral: true }),
    ...(message.editedTs === undefined ? {} : { edited: true }),
    ...(message.unfurls.size === 0 ? {} : { unfurls: Object.fromEntries(message.unfurls) }),
    ...(Object.keys(message.extras).length === 0 ? {} : { extras: message.extras }),
    history: [...message.history],
  };
}
