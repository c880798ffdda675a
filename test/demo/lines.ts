import type { Locator } from 'playwright-core';

/** How much a person scrolls past: lines of text and rows of buttons, as they are laid out, and their height in px. */
interface Extent {
  readonly lines: number;
  readonly height: number;
}

/** A script for the browser: returns the top and the bottom of every piece of text and every control in `root`. */
const BOXES = `
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
  return boxes.filter(({ width, height }) => width > 0 && height > 0).map(({ top, bottom }) => ({ top, bottom }));
`;

type Box = { readonly top: number; readonly bottom: number };

/** Boxes that overlap by at most this many px are separate lines. */
const TOLERANCE = 4;

/**
 * Counts the lines of an element in the browser. Things that stand side by side, such as a row of buttons, are one line;
 * text that wraps counts once for each line that it takes.
 */
export async function extentOf(element: Locator): Promise<Extent> {
  const boxes = await element.evaluate(new Function('root', BOXES) as () => Box[]);
  let lines = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { top, bottom } of boxes.toSorted((a, b) => a.top - b.top)) {
    if (top < end - TOLERANCE) continue;
    lines += 1;
    end = bottom;
  }
  const height = (await element.boundingBox())?.height ?? 0;
  return { lines, height: Math.round(height) };
}
