import { useEffect, useState } from 'react';
import type { ShownChannel } from '../wire.ts';
import { NOTHING_OPEN, useDemo } from './demo-context.ts';
import { IntakeForm } from './intake-form.tsx';
import { unread } from './page-data.ts';

/** The person, and the person's conversations. */
export function Sidebar() {
  const { state } = useDemo();
  const group = (kinds: readonly ShownChannel['kind'][]) =>
    state.channels.filter(({ kind }) => kinds.includes(kind));
  return (
    <nav className="sidebar" aria-label="Workspace">
      <header>
        <h1>Snapshot demo</h1>
      </header>
      <ViewerSwitch />
      <Group title="Channels" channels={group(['public', 'private'])} />
      <Group title="Direct messages" channels={group(['im'])} />
      <Group title="Apps" channels={group(['app'])} />
      <Shortcuts />
      <IntakeForm />
    </nav>
  );
}

const VIEWERS = [
  { name: 'ana', about: 'Ana, support' },
  { name: 'ben', about: 'Ben, support' },
  { name: 'guest', about: 'Gus, of another company' },
];

function ViewerSwitch() {
  const { state, become } = useDemo();
  return (
    <label className="viewer">
      You are
      <select value={state.me.name} onChange={(event) => become(event.target.value)}>
        {VIEWERS.map(({ name, about }) => (
          <option key={name} value={name}>
            {about}
          </option>
        ))}
      </select>
    </label>
  );
}

function Group({ title, channels }: { title: string; channels: readonly ShownChannel[] }) {
  const seen = useSeen();
  if (channels.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {channels.map((channel) => (
          <li key={channel.id}>
            <ChannelLink channel={channel} seenTs={seen[channel.id] ?? ''} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The latest message that was read in each conversation. Messages that were there when the page opened count as read.
 */
function useSeen(): Readonly<Record<string, string>> {
  const { state, spot } = useDemo();
  const latest = (channel: string) => state.messages.findLast((one) => one.channel === channel)?.ts ?? '';
  const [seen, setSeen] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(state.channels.map(({ id }) => [id, latest(id)])),
  );
  const current = latest(spot.channel);
  useEffect(() => {
    setSeen((old) => ({ ...old, [spot.channel]: current }));
  }, [spot.channel, current]);
  return seen;
}

const MARKS: Readonly<Record<ShownChannel['kind'], string>> = {
  public: '#',
  private: '◈',
  im: '●',
  app: '▣',
};

function ChannelLink({ channel, seenTs }: { channel: ShownChannel; seenTs: string }) {
  const { state, spot, go } = useDemo();
  const isCurrent = spot.channel === channel.id;
  const { count, isMentioned } = unread(state.messages, channel.id, state.me.id, seenTs);
  const isNew = count > 0 && !isCurrent;
  return (
    <button
      type="button"
      className={isNew ? 'channel unread' : 'channel'}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => go({ ...NOTHING_OPEN, channel: channel.id, pane: 'conversation' })}
    >
      <span aria-hidden="true" className="mark">
        {MARKS[channel.kind]}
      </span>
      <span>{channel.name}</span>
      {channel.kind === 'private' && <span className="sr"> (private)</span>}
      {channel.kind !== 'im' && !channel.hasBot && <small>no bot</small>}
      {isNew && (
        <span className={isMentioned ? 'badge mention' : 'badge'}>
          {count}
          <span className="sr"> new</span>
        </span>
      )}
    </button>
  );
}

function Shortcuts() {
  const { state, perform } = useDemo();
  const shortcuts = state.app.shortcuts.filter(({ type }) => type === 'global');
  if (shortcuts.length === 0) return null;
  return (
    <section>
      <h2>Shortcuts</h2>
      <ul>
        {shortcuts.map(({ name, callbackId }) => (
          <li key={callbackId}>
            <button
              type="button"
              className="channel"
              onClick={() => void perform({ kind: 'shortcut', callbackId })}
            >
              <span aria-hidden="true" className="mark">
                ⚡
              </span>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
