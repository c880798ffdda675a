import { useDemo } from './demo-context.ts';
import { Shelf } from './shelf.tsx';
import { Underneath } from './underneath.tsx';

/** The snapshots to try, and the exchanges between Slack, the bot and the service. */
export function SidePanel() {
  const { go } = useDemo();
  return (
    <aside className="side" aria-label="Snapshots and calls">
      <header className="bar">
        <button type="button" className="back" onClick={() => go({ pane: 'conversation' })}>
          <span aria-hidden="true">‹ </span>Messages
        </button>
        <h2>Snapshots to try</h2>
      </header>
      <div className="side-top">
        <Shelf />
      </div>
      <Underneath />
    </aside>
  );
}
