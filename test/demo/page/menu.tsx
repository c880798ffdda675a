import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { besideOf } from './beside.ts';

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

/** A button that opens a list of things to do; closes by a choice, Escape or a click elsewhere. */
export function Menu({ label, mark, items, className = '', whenEmpty = '' }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const entries = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen) besideOf(box.current, entries.current);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    box.current?.querySelector<HTMLButtonElement>('[role=menuitem]')?.focus({ preventScroll: true });
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setIsOpen(false);
    };
    const follow = () => besideOf(box.current, entries.current);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('scroll', follow, true);
    window.addEventListener('resize', follow);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('scroll', follow, true);
      window.removeEventListener('resize', follow);
    };
  }, [isOpen]);
  const close = () => {
    setIsOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of the menu inside of it.
    <div className={`menu ${className}`} ref={box} onKeyDown={(event) => onKey(event, close)}>
      <button
        type="button"
        className="quiet"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setIsOpen(!isOpen)}
      >
        {mark}
      </button>
      {isOpen && (
        <div className="menu-items" role="menu" aria-label={label} ref={entries}>
          {items.map((item) => (
            <MenuEntry key={item.key} item={item} close={close} />
          ))}
          {items.length === 0 && <p>{whenEmpty}</p>}
        </div>
      )}
    </div>
  );
}

function MenuEntry({ item, close }: { item: MenuItem; close: () => void }) {
  const choose = () => {
    close();
    item.use();
  };
  return (
    <button type="button" role="menuitem" onClick={choose}>
      {item.label}
    </button>
  );
}

function onKey(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  if (event.key === 'Escape') close();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const entries = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[role=menuitem]')];
  const now = entries.indexOf(document.activeElement as HTMLButtonElement);
  entries.at((now + step) % entries.length)?.focus();
}
