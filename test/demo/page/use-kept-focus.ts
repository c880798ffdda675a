import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

const USABLE = 'button:not([disabled]), a[href], select, input, textarea';

/**
 * Keeps the keyboard focus when the element that has it is drawn anew: on the element with the same action, or on the
 * first one that can be used, or on the box itself. A focus elsewhere stays there.
 */
export function useKeptFocus<T extends HTMLElement>(box: RefObject<T | null>) {
  const held = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Only an element that was removed while it had the focus passes it to the body without an event.
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
