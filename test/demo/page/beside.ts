/** Between a button and its menu, and between the menu and the edges of the window. */
const GAP = 6;

/** Puts a menu below its button, or above where there is more room, and always inside of the window. */
export function besideOf(button: HTMLElement | null, menu: HTMLElement | null): void {
  if (button === null || menu === null) return;
  const { top, bottom, left } = button.getBoundingClientRect();
  const { innerHeight, innerWidth } = window;
  const [above, below] = [top - 2 * GAP, innerHeight - bottom - 2 * GAP];
  const opensDown = menu.offsetHeight <= below || below >= above;
  menu.style.maxHeight = `${Math.max(opensDown ? below : above, 0)}px`;
  const height = menu.offsetHeight;
  menu.style.top = `${opensDown ? bottom + GAP : top - GAP - height}px`;
  menu.style.left = `${Math.max(GAP, Math.min(left, innerWidth - menu.offsetWidth - GAP))}px`;
}
