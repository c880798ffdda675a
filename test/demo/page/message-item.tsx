import type { Person, ShownMessage } from '../wire.ts';
import { Blocks } from './blocks.tsx';
import { useDemo } from './demo-context.ts';
import { Menu } from './menu.tsx';
import { TextObject } from './texts.tsx';

interface MessageItemProps {
  readonly message: ShownMessage;
  /** Whether the message offers to open its thread. */
  readonly withThread: boolean;
}

/** A message with everything that Slack shows around it. */
export function MessageItem({ message, withThread }: MessageItemProps) {
  const { state } = useDemo();
  const author = state.people.find(({ id }) => id === message.user);
  const isMine = message.text.includes(`<@${state.me.id}>`);
  const kinds = ['message', message.ephemeral && 'ephemeral', isMine && 'mentions-me'].filter(Boolean);
  return (
    <article className={kinds.join(' ')} aria-label={`Message of ${author?.realName ?? 'somebody'}`}>
      {message.ephemeral && <p className="only-you">Only visible to you</p>}
      <Avatar author={author} />
      <div className="said">
        <p className="byline">
          <strong>{author?.realName ?? message.user}</strong>
          {author?.isBot && <span className="app-mark">app</span>}
          <time dateTime={new Date(message.at).toISOString()}>{clock(message.at)}</time>
          {message.edited && <span className="edited">(edited)</span>}
        </p>
        <Broadcast message={message} isInChannel={withThread} />
        <Content message={message} />
        <Unfurls message={message} />
        <Files message={message} />
        {withThread && <ThreadLink message={message} />}
      </div>
      {!message.ephemeral && <MessageMenu message={message} withThread={withThread} />}
    </article>
  );
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

function Avatar({ author }: { author: Person | undefined }) {
  const initial = author?.realName.slice(0, 1) ?? '?';
  return (
    <span className={author?.isBot ? 'avatar bot' : 'avatar'} aria-hidden="true">
      {initial}
    </span>
  );
}

/**
 * The line above a reply that was also sent to the channel. In the channel, it shows the first message of the thread;
 * in the thread, it says that the reply is in the channel, too.
 */
function Broadcast({ message, isInChannel }: { message: ShownMessage; isInChannel: boolean }) {
  const { state, go } = useDemo();
  const { channel, threadTs, extras } = message;
  if (extras?.subtype !== 'thread_broadcast') return null;
  if (!isInChannel) return <p className="broadcast">Also sent to the channel</p>;
  const root = state.messages.find((one) => one.channel === channel && one.ts === threadTs);
  return (
    <p className="broadcast">
      <span>replied to a thread:</span>
      <button type="button" className="link" onClick={() => go({ thread: threadTs, pane: 'thread' })}>
        <TextObject text={{ type: 'mrkdwn', text: root?.text ?? 'a deleted message' }} />
      </button>
    </p>
  );
}

function Content({ message }: { message: ShownMessage }) {
  const { channel, ts, text } = message;
  const blocks =
    message.blocks.length > 0 ? message.blocks : [{ type: 'section', text: { type: 'mrkdwn', text } }];
  return <Blocks blocks={blocks} origin={{ message: { channel, ts } }} />;
}

/** The previews of the message's links. */
function Unfurls({ message: { channel, ts, unfurls = {} } }: { message: ShownMessage }) {
  return Object.entries(unfurls).map(([link, { blocks }]) => (
    <section className="unfurl" key={link} aria-label={`Preview of ${link}`}>
      <p className="unfurl-app">Snapshot</p>
      <Blocks blocks={blocks} origin={{ message: { channel, ts }, link }} />
    </section>
  ));
}

function Files({ message: { extras } }: { message: ShownMessage }) {
  const files = Array.isArray(extras?.files) ? extras.files : [];
  return files.map((file: { id: string; name: string; url_private_download?: string }) => (
    <p className="file" key={file.id}>
      <span aria-hidden="true">↓ </span>
      <a href={file.url_private_download} download={file.name}>
        {file.name}
      </a>
    </p>
  ));
}

function ThreadLink({ message }: { message: ShownMessage }) {
  const { state, go } = useDemo();
  const replies = state.messages.filter(
    ({ channel, threadTs, ts, ephemeral }) =>
      channel === message.channel && threadTs === message.ts && ts !== message.ts && !ephemeral,
  );
  if (replies.length === 0) return null;
  const open = () => go({ thread: message.ts, pane: 'thread' });
  return (
    <button type="button" className="replies" onClick={open}>
      {replies.length} {replies.length === 1 ? 'reply' : 'replies'}
    </button>
  );
}

/** The ⋮ menu of a message: its thread, the app's message shortcuts and, for the author, its deletion. */
function MessageMenu({ message, withThread }: { message: ShownMessage; withThread: boolean }) {
  const { state, perform, go } = useDemo();
  const { channel, ts } = message;
  const shortcuts = state.app.shortcuts.filter(({ type }) => type === 'message');
  const openThread = () => go({ thread: message.threadTs ?? ts, pane: 'thread' });
  const remove = () => void perform({ kind: 'remove', message: { channel, ts } });
  return (
    <Menu
      className="message-menu"
      label="More actions"
      mark="⋮"
      items={[
        ...(withThread ? [{ key: 'thread', label: 'Reply in thread', use: openThread }] : []),
        ...(message.user === state.me.id ? [{ key: 'remove', label: 'Delete message', use: remove }] : []),
        ...shortcuts.map(({ name, callbackId }) => ({
          key: callbackId,
          label: name,
          use: () => void perform({ kind: 'shortcut', callbackId, message: { channel, ts } }),
        })),
      ]}
      whenEmpty="This app has no message shortcut."
    />
  );
}
