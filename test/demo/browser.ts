import { type Browser, chromium } from 'playwright-core';
import { pathTo } from '../support/needs.ts';

/** Widths at which every test of the page runs. */
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const SMALL_PHONE = { width: 360, height: 640 };

/**
 * What the browser leaves out. Each window, headless too, would load two pages for its address line, which cost more
 * than the page that is looked at, and beside each page a process would wait that no test needs. The others would ask
 * Google: Playwright turns them off with the same switch, of which Chromium reads only the last one.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];

/** Starts Debian's Chromium with an empty profile. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = pathTo('chromium');
  if (executablePath === undefined) throw new Error('chromium is not installed: apt-get install chromium');
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${WITHOUT.join(',')}`,
      // Grey edges of letters: pictures of them are smaller.
      '--disable-lcd-text',
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The one browser of this process; it ends with it. Whoever opens a context in it closes that. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}
