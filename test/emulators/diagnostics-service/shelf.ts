import { hostileDocument } from './shelf/hostile.ts';
import {
  cleanDocument,
  documentAfterUpgrade,
  documentBeforeUpgrade,
  documentWithUpgrades,
  largeDocument,
  realisticDocument,
  singleDocument,
  unitDocument,
} from './shelf/scenarios.ts';
import type { ShelfEntry } from './types.ts';

const SECOND = 1_000;

const REALISTIC: ShelfEntry = {
  title: 'A realistic snapshot',
  purpose:
    'Ready at once: 37 hits in 247 checks, with CVEs, solutions and long evidence. Search it: 1001 CVE-2026-10000, ' +
    'or 1001 hit certificate. Its text for the case is longer than a field.',
  document: realisticDocument,
  counts: true,
};

/** Named snapshots to try the bot with; any other id is a 404. */
export function demoShelf(): Record<string, ShelfEntry> {
  return { ...readySnapshots(), ...slowSnapshots() };
}

function readySnapshots(): Record<string, ShelfEntry> {
  return {
    1001: REALISTIC,
    1002: {
      title: 'Zero hits',
      purpose: 'Good news: 180 checks, none of which applies.',
      document: cleanDocument,
      counts: true,
    },
    1007: {
      title: 'Forbidden',
      purpose: 'Belongs to an account that the bot may not read: 403.',
      status: 403,
    },
    1008: {
      title: 'Hostile text',
      purpose: 'Tries to mention, link, format, hide and overflow; nothing of it may work.',
      document: hostileDocument,
    },
    1009: {
      title: '2,000 hits',
      purpose: 'More hits than any message holds: pages, all of them complete.',
      document: largeDocument,
    },
    ...upgradedSnapshots(),
    1012: {
      title: 'One of everything',
      purpose: 'One diagnostic with one output and one solution, where a careless reader expects lists.',
      document: singleDocument,
    },
    1013: {
      title: 'Several versions to upgrade to',
      purpose:
        'Hits that are fixed in 17.1.3.4, in 17.1.4 or in the next branch, and some that name no version.',
      document: documentWithUpgrades,
      counts: true,
    },
    ...units(),
    26808463: { ...REALISTIC, purpose: 'The realistic snapshot of 1001 under an id of the usual length.' },
  };
}

/** One device before and after its upgrade. */
function upgradedSnapshots(): Record<string, ShelfEntry> {
  return {
    1010: {
      title: 'Before an upgrade',
      purpose:
        'Compare it with 1011: 30 hits in version 17.1.1. Read before 1011, it is the last read of the same device, ' +
        'and who asked to be reminded of it hears of 1011.',
      document: documentBeforeUpgrade,
      counts: true,
    },
    1011: {
      title: 'After the upgrade',
      purpose:
        'Compare it with 1010: 10 hits stayed, 20 are cleared, 3 are new, 2 changed their importance. Once 1010 was ' +
        'read: compare last 1011.',
      document: documentAfterUpgrade,
      counts: true,
    },
  };
}

/** Units of a pair and of a cluster. The fourth, in `slowSnapshots`, takes a while, and 1007 may stand for one that is forbidden. */
function units(): Record<string, ShelfEntry> {
  return {
    1014: {
      title: 'A pair: lb-a',
      purpose: 'One unit of a pair: 31 hits. Side by side with the other one they say what both share.',
      command: '1014 1015',
      document: () => unitDocument('lb-a'),
      counts: true,
    },
    1015: {
      title: 'A pair: lb-b',
      purpose: 'The other unit: the 31 hits of 1014, and two more. Which of both has this CVE?',
      command: '1014 1015 CVE-2026-10128',
      document: () => unitDocument('lb-b'),
      counts: true,
    },
    1016: {
      title: 'A cluster: lb-c',
      purpose:
        'A unit of a cluster that runs an older release; of the others one takes a while, and one is forbidden.',
      command: '1014 1016 1017 1007',
      document: () => unitDocument('lb-c'),
      counts: true,
    },
  };
}

function slowSnapshots(): Record<string, ShelfEntry> {
  return {
    1003: {
      title: 'Ready after 12 s',
      purpose: 'Still processing for 12 seconds, then a result; gives no reason.',
      document: realisticDocument,
      counts: true,
      processing: { forMs: 12 * SECOND },
    },
    1017: {
      title: 'A cluster: lb-d, ready after 8 s',
      purpose: 'A unit of the cluster of 1014 that is still processed for 8 seconds; here among eight.',
      command: '1017 1014 1015 1016 1010 1012 1013 1002',
      document: () => unitDocument('lb-d'),
      counts: true,
      processing: { forMs: 8 * SECOND, reasons: ['Diagnostics are running: 201 of 247.'] },
    },
    1004: {
      title: 'Ready after 25 s, with reasons',
      purpose: 'Still processing for 25 seconds with a reason that changes, then a result.',
      document: realisticDocument,
      counts: true,
      processing: {
        forMs: 25 * SECOND,
        reasons: [
          'The archive is being unpacked.',
          'The configuration is being read.',
          'Diagnostics are running: 64 of 247.',
          'Diagnostics are running: 201 of 247.',
        ],
      },
    },
    1005: {
      title: 'Processing forever',
      purpose: 'An analysis that never ends: the bot has to give up politely.',
      processing: { forMs: 'forever', reasons: ['The snapshot is waiting in a queue.'], reasonAs: 'html' },
    },
    1006: {
      title: 'Fails midway',
      purpose: 'Still processing at first, then the service answers 500 forever.',
      processing: { forMs: 5 * SECOND, reasons: ['Diagnostics are running.'], reasonAs: 'xml' },
      failsMidway: true,
    },
  };
}
