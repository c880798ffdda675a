import type { Locator } from 'playwright-core';

/** How much a person scrolls past: lines of text and rows of buttons, as they are laid out, and their height in px. */
interface Extent {
  readonly lines: number;
  readonly height: number;
}

/**
 * A script for the browser. Things that stand side by side, such as a row of buttons, are one line; text that wraps counts
 * once for each line that it takes. Boxes that overlap by at most 4 px are separate lines.
 */
const EXTENTS = `
  return elements.map((root) => {
    const boxes = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      if (node.parentElement.closest('button, select') === null) boxes.push(...range.getClientRects());
    }
    for (const control of root.querySelectorAll('button, select, input, .block-button')) {
      boxes.push(control.getBoundingClientRect());
    }
    let [lines, end] = [0, -Infinity];
    const seen = boxes.filter(({ width, height }) => width > 0 && height > 0);
    for (const { top, bottom } of seen.sort((one, other) => one.top - other.top)) {
      if (top < end - 4) continue;
      lines += 1;
      end = bottom;
    }
    return { lines, height: Math.round(root.getBoundingClientRect().height) };
  });
`;

/** Measures elements in the browser, all at once. */
export function extentsOf(elements: Locator): Promise<Extent[]> {
  return elements.evaluateAll(new Function('elements', EXTENTS) as () => Extent[]);
}
