import { type KeyboardEvent, useId, useRef } from 'react';

interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly use: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly mark: string;
  readonly items: readonly MenuItem[];
  readonly className?: string;
  readonly whenEmpty?: string;
}

/** A button that opens a menu. The menu is a popover, so Escape and a click elsewhere close it. */
export function Menu({ label, mark, items, className = '', whenEmpty = '' }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const choose = (item: MenuItem) => {
    list.current?.hidePopover();
    item.use();
  };
  return (
    <div className={`menu ${className}`}>
      <button type="button" className="quiet" aria-haspopup="menu" aria-label={label} popoverTarget={id}>
        {mark}
      </button>
      <div
        className="menu-items"
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        ref={list}
        onToggle={() => list.current?.querySelector('button')?.focus({ preventScroll: true })}
        onKeyDown={walk}
      >
        {items.map((item) => (
          <button key={item.key} type="button" role="menuitem" onClick={() => choose(item)}>
            {item.label}
          </button>
        ))}
        {items.length === 0 && <p>{whenEmpty}</p>}
      </div>
    </div>
  );
}

/** Moves between the entries with the arrow keys. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const entries = [...event.currentTarget.querySelectorAll('button')];
  const now = entries.indexOf(document.activeElement as HTMLButtonElement);
  entries.at((now + step) % entries.length)?.focus();
}
