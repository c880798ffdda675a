import { type RefObject, useLayoutEffect } from 'react';

const HYPHENATED = /[^\s-]+(?:-[^\s-]+)+/;
/** The emoji that the bot's messages use, and the style that draws each: no font of emoji is needed. */
const MARKS: Readonly<Record<string, string>> = {
  '🔴': 'critical',
  '🔶': 'high',
  '🟡': 'medium',
  '⚪': 'low',
  '✅': 'passed',
  '⏳': 'waiting',
  '⚠️': 'warning',
  '⛔': 'refused',
};
const SPLIT = new RegExp(`(${Object.keys(MARKS).join('|')}|${HYPHENATED.source})`, 'u');

/**
 * Draws marks, and keeps words with a hyphen, such as host names and the ids of CVEs, on one line where they fit on one. No
 * style does that, and another character in place of the hyphen would be copied with them.
 */
export function useWholeWords(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (box.current === null) return;
    const walker = document.createTreeWalker(box.current, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      // With the separator in a group, every second part is such a word.
      const parts = text.data.split(SPLIT);
      if (parts.length === 1 || text.parentElement?.closest('pre, .whole-word, .mark') !== null) continue;
      text.replaceWith(...parts.map((part, at) => (at % 2 === 1 ? styled(part) : part)));
    }
  });
}

function styled(word: string): HTMLElement {
  const span = document.createElement('span');
  const mark = MARKS[word];
  span.className = mark === undefined ? 'whole-word' : `mark ${mark}`;
  span.textContent = word;
  return span;
}
