import { type Browser, chromium } from 'playwright-core';
import { pathTo } from '../support/needs.ts';

/** A desktop's window. Every test of the page runs at this size and at the size of a phone. */
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/**
 * Features of Chromium that are turned off. The first two load pages for the address bar of each window, also without a
 * window on screen, and cost more than the tested page. The third starts a spare process for each page. The others
 * contact Google. Playwright turns them off, too, but only the last `--disable-features` of a command line counts.
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
      // Grey instead of coloured anti-aliasing makes screenshots smaller.
      '--disable-lcd-text',
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The only browser of this process, which ends with it. The caller closes each context that it opens. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}
