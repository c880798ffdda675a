import { type Browser, chromium } from 'playwright-core';
import { pathTo } from '../support/needs.ts';

/** Widths at which every test of the page runs. */
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/**
 * Features of Chromium that are turned off. The first two load pages for the address line of each window, even a headless
 * one, and cost more than the tested page; the third starts a spare process for each page. The others send requests to Google.
 * Playwright turns those off with the same switch, but Chromium reads only the last one on its command line.
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
      // Smooths letters in grey instead of colour, which makes screenshots smaller.
      '--disable-lcd-text',
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The one browser of this process, which ends with the process. The caller closes each context that it opens. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}
