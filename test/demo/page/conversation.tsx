import { Fragment } from 'react';
import { records } from '../../emulators/slack/json.ts';
import type { ShownChannel } from '../wire.ts';
import { Blocks } from './blocks.tsx';
import { Composer } from './composer.tsx';
import { useDemo } from './demo-context.ts';
import { MessageList } from './message-list.tsx';
import { channelMessages, titleOf } from './page-data.ts';

/** The messages of the channel, or the bot's Home tab. */
export function Conversation() {
  const { state, spot } = useDemo();
  const channel = state.channels.find(({ id }) => id === spot.channel);
  if (channel === undefined) return <main className="conversation" />;
  const isApp = channel.kind === 'app';
  const isHome = isApp && spot.tab === 'home';
  return (
    <main className="conversation" aria-label={titleOf(channel)}>
      <ChannelHeader channel={channel} />
      {isApp && <AppTabs />}
      {isHome ? (
        <Home />
      ) : (
        <Fragment key={channel.id}>
          <MessageList messages={channelMessages(state.messages, channel.id)} withThreads />
          <FirstThing channel={channel} />
          {channel.isArchived ? (
            <p className="silent">This channel is archived.</p>
          ) : (
            <Composer channel={channel} />
          )}
        </Fragment>
      )}
    </main>
  );
}

const FIRST_LINE = '/snapshot 1001';

/** A suggestion for the first step, until the bot has posted in the first channel. */
function FirstThing({ channel }: { channel: ShownChannel }) {
  const { state, suggest, perform } = useDemo();
  const isBegun = state.messages.some(({ user }) => user === state.app.botUser);
  if (isBegun || channel.id !== state.channels[0]?.id) return null;
  return (
    <section className="first-thing" aria-label="What to try first">
      <p>
        <strong>Try it:</strong> type{' '}
        <button type="button" className="block-button" onClick={() => suggest(FIRST_LINE)}>
          <code>{FIRST_LINE}</code>
        </button>{' '}
        and press Enter.
      </p>
      <button type="button" className="link" onClick={() => void perform({ kind: 'tour' })}>
        Or watch a tour of less than a minute
      </button>
    </section>
  );
}

function ChannelHeader({ channel }: { channel: ShownChannel }) {
  const { go } = useDemo();
  return (
    <header className="bar">
      <button type="button" className="back" onClick={() => go({ pane: 'channels' })}>
        <span aria-hidden="true">‹ </span>Channels
      </button>
      <h2>{titleOf(channel)}</h2>
      <Membership channel={channel} />
      <button type="button" className="to-side" onClick={() => go({ pane: 'side' })}>
        Snapshots to try
      </button>
    </header>
  );
}

const REMOVAL = 'Remove the bot from this channel? It can’t post here until you invite it again.';

/** Whether the bot is a member, with a button to invite or remove it. */
function Membership({ channel }: { channel: ShownChannel }) {
  const { perform } = useDemo();
  if (channel.isArchived) return <small className="note">archived</small>;
  if (channel.kind === 'im') return <small className="note">without the bot</small>;
  if (channel.kind === 'app') return <small className="note">app</small>;
  const { hasBot, id, kind, isShared } = channel;
  const change = () => {
    if (hasBot && !window.confirm(REMOVAL)) return;
    void perform({ kind: 'invite', channel: id, isIn: !hasBot });
  };
  return (
    <span className="note">
      <small>
        {kind === 'private' && 'private · '}
        {isShared && 'shared with another company · '}
        {hasBot ? 'the bot is a member' : 'the bot isn’t a member'}
      </small>
      <button type="button" className="quiet" onClick={change}>
        {hasBot ? 'Remove it' : 'Invite it'}
      </button>
    </span>
  );
}

function AppTabs() {
  const { spot, go, perform } = useDemo();
  const openHome = () => {
    go({ tab: 'home' });
    void perform({ kind: 'home' });
  };
  return (
    <div className="tabs" role="tablist" aria-label="Tabs of the app">
      <button type="button" role="tab" aria-selected={spot.tab === 'home'} onClick={openHome}>
        Home
      </button>
      <button
        type="button"
        role="tab"
        aria-selected={spot.tab === 'messages'}
        onClick={() => go({ tab: 'messages' })}
      >
        Messages
      </button>
    </div>
  );
}

/** The bot's Home tab, if the bot has published it. */
function Home() {
  const { state } = useDemo();
  const { home } = state;
  return (
    <div className="messages home">
      {home === undefined ? (
        <p className="empty">The bot has published no Home tab.</p>
      ) : (
        <Blocks blocks={records(home.view.blocks)} origin={{ view: home.id }} />
      )}
    </div>
  );
}
