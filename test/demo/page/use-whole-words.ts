import { type RefObject, useLayoutEffect } from 'react';

const HYPHENATED = /([^\s-]+(?:-[^\s-]+)+)/;

/**
 * Keeps words with a hyphen, such as host names and the ids of CVEs, on one line where they fit on one. No style does it,
 * and another character in place of the hyphen would be copied with them.
 */
export function useWholeWords(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (box.current === null) return;
    const walker = document.createTreeWalker(box.current, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      // With the separator in a group, every second part is such a word.
      const parts = text.data.split(HYPHENATED);
      if (parts.length === 1 || text.parentElement?.closest('pre, .whole-word') !== null) continue;
      text.replaceWith(...parts.map((part, at) => (at % 2 === 1 ? wholeWord(part) : part)));
    }
  });
}

function wholeWord(word: string): HTMLElement {
  const span = document.createElement('span');
  span.className = 'whole-word';
  span.textContent = word;
  return span;
}
