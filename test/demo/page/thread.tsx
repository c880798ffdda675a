import { Composer } from './composer.tsx';
import { useDemo } from './demo-context.ts';
import { MessageList } from './message-list.tsx';
import { threadMessages, titleOf } from './page-data.ts';

/** The open thread, beside its channel. */
export function Thread() {
  const { state, spot, go } = useDemo();
  const channel = state.channels.find(({ id }) => id === spot.channel);
  if (channel === undefined || spot.thread === undefined) return null;
  const close = () => go({ thread: undefined, pane: 'conversation' });
  return (
    <section className="thread" aria-label={`Thread in ${titleOf(channel)}`}>
      <header className="bar">
        <button type="button" className="back" onClick={close}>
          <span aria-hidden="true">‹ </span>
          {titleOf(channel)}
        </button>
        <h2>Thread</h2>
        <button type="button" className="quiet close" onClick={close} aria-label="Close the thread">
          ✕
        </button>
      </header>
      <MessageList messages={threadMessages(state.messages, channel.id, spot.thread)} />
      <Composer key={spot.thread} channel={channel} threadTs={spot.thread} />
    </section>
  );
}
