import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

const STOPS = 'button, a[href], select, input';
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Lets the Tab key stop at only one message of a list (the one that was used last, or the newest) and at its controls. The
 * arrow keys go from message to message. So the message box is a few Tab keys away, however long the list is.
 */
export function useOneStop(list: RefObject<HTMLElement | null>) {
  const current = useRef<HTMLElement | undefined>(undefined);
  const mark = () => {
    const messages = messagesIn(list.current);
    if (current.current === undefined || !messages.includes(current.current))
      current.current = messages.at(-1);
    for (const message of messages) {
      const tabIndex = message === current.current ? 0 : -1;
      message.tabIndex = tabIndex;
      for (const stop of message.querySelectorAll<HTMLElement>(STOPS)) stop.tabIndex = tabIndex;
    }
  };
  useEffect(mark);
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      current.current = target.closest<HTMLElement>('article') ?? undefined;
      mark();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const step = STEPS[event.key];
      const messages = messagesIn(list.current);
      // Inside a message the arrows belong to its menus.
      const at = messages.indexOf(event.target as HTMLElement);
      if (step === undefined || at < 0) return;
      event.preventDefault();
      messages[Math.min(Math.max(at + step, 0), messages.length - 1)]?.focus();
    },
  };
}

function messagesIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('article') ?? [])];
}
