import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

const USABLE = 'button:not([disabled]), a[href], select, input, textarea';

/**
 * When the focused element is drawn anew, moves the keyboard focus to the element with the same action, else to the first
 * usable one, else to the box itself. A focus outside of the box stays where it is.
 */
export function useKeptFocus<T extends HTMLElement>(box: RefObject<T | null>) {
  const held = useRef<string | undefined>(undefined);
  useEffect(() => {
    // When a focused element is removed, the focus moves to the body without a blur event. Otherwise there is nothing to do.
    if (held.current === undefined || document.activeElement !== document.body) return;
    const usable = [...(box.current?.querySelectorAll<HTMLElement>(USABLE) ?? [])];
    const same = usable.find(({ dataset }) => dataset.action === held.current);
    (same ?? usable[0] ?? box.current)?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target }: FocusEvent<T>) => {
      held.current = (target as HTMLElement).dataset.action ?? '';
    },
    onBlur: () => {
      held.current = undefined;
    },
  };
}
