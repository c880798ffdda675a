import type { FlowStep, PageState, Piece, ShownChannel, ShownMessage } from '../wire.ts';

/** Applies one message of the stream to the state of the page. */
export function withPiece(state: PageState | undefined, piece: Piece): PageState | undefined {
  if (piece.kind === 'all') return piece.state;
  if (state === undefined) return undefined;
  switch (piece.kind) {
    case 'message':
      return { ...state, messages: withMessage(state.messages, piece.message) };
    case 'gone':
      return {
        ...state,
        messages: state.messages.filter(({ channel, ts }) => channel !== piece.channel || ts !== piece.ts),
      };
    case 'step':
      return { ...state, steps: withStep(state.steps, piece.step) };
    case 'some':
      return { ...state, ...piece.state };
    default:
      return piece satisfies never;
  }
}

function withMessage(messages: readonly ShownMessage[], news: ShownMessage): ShownMessage[] {
  const others = messages.filter(({ channel, ts }) => channel !== news.channel || ts !== news.ts);
  return [...others, news].sort((one, other) => one.ts.localeCompare(other.ts));
}

function withStep(steps: readonly FlowStep[], news: FlowStep): FlowStep[] {
  return [...steps.filter(({ id }) => id !== news.id), news].sort((one, other) => one.at - other.at);
}

/** The messages of a conversation itself, without the replies in threads. */
export function channelMessages(messages: readonly ShownMessage[], channel: string): ShownMessage[] {
  return messages.filter(
    (message) =>
      message.channel === channel && (message.threadTs === undefined || message.threadTs === message.ts),
  );
}

/** A thread: the message that began it, then the replies. */
export function threadMessages(
  messages: readonly ShownMessage[],
  channel: string,
  threadTs: string,
): ShownMessage[] {
  return messages.filter(
    (message) => message.channel === channel && (message.ts === threadTs || message.threadTs === threadTs),
  );
}

/** How many messages of others came after a moment, and whether one of them mentions this person. */
export function unread(
  messages: readonly ShownMessage[],
  channel: string,
  me: string,
  seenTs: string,
): { readonly count: number; readonly isMentioned: boolean } {
  const news = messages.filter(
    (message) => message.channel === channel && message.user !== me && message.ts > seenTs,
  );
  return { count: news.length, isMentioned: news.some(({ text }) => text.includes(`<@${me}>`)) };
}

/** A conversation's name as people say it. */
export function titleOf({ name, kind }: ShownChannel): string {
  return kind === 'public' || kind === 'private' ? `#${name}` : name;
}
