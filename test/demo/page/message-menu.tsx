import type { ShownMessage } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { Menu } from './menu.tsx';

/** The ⋮ of a message: its thread, its end for who wrote it, and the app's message shortcuts. */
export function MessageMenu({ message, withThread }: { message: ShownMessage; withThread: boolean }) {
  const { state, perform, go } = useDemo();
  const { channel, ts } = message;
  const shortcuts = state.app.shortcuts.filter(({ type }) => type === 'message');
  const openThread = () => go({ thread: message.threadTs ?? ts, hasPanel: false, pane: 'thread' });
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
