import { useDemo } from './demo-context.ts';
import { Faults } from './faults.tsx';
import { Shelf } from './shelf.tsx';
import { Underneath } from './underneath.tsx';

/** What to try, and what happens underneath. */
export function SidePanel() {
  const { spot, go } = useDemo();
  const tab = (side: typeof spot.side, label: string) => (
    <button type="button" role="tab" aria-selected={spot.side === side} onClick={() => go({ side })}>
      {label}
    </button>
  );
  return (
    <aside className="side" aria-label="Snapshots, faults and calls">
      <header className="bar">
        <button type="button" className="back" onClick={() => go({ pane: 'conversation' })}>
          <span aria-hidden="true">‹ </span>Messages
        </button>
        <div className="tabs" role="tablist" aria-label="What to try">
          {tab('shelf', 'Snapshots to try')}
          {tab('faults', 'Make trouble')}
        </div>
      </header>
      <div className="side-top" role="tabpanel" aria-label="What to try">
        {spot.side === 'shelf' ? <Shelf /> : <Faults />}
      </div>
      <Underneath />
    </aside>
  );
}
