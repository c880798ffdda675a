import type { Locator } from 'playwright-core';

/** How much a person scrolls past: lines of text and rows of buttons, as they are laid out, and their height in px. */
interface Extent {
  readonly lines: number;
  readonly height: number;
}

/** Runs in the browser, where alone these names are known, on `root`: the top and the bottom of every piece of text and of every control. */
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

/** Boxes of one line may differ by this many px where they begin: letters of several sizes stand on one line. */
const TOLERANCE = 4;

/**
 * Counts the lines of an element in the browser: what stands side by side is one line, a row of buttons too. Whatever
 * the layout, text that wraps counts as often as it does.
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
