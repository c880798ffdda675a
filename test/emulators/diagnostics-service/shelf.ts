import type { SnapshotDocument } from './document.ts';
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
const REASONS = [
  'The archive is being unpacked.',
  'The configuration is being read.',
  'Diagnostics are running: 64 of 247.',
  'Diagnostics are running: 201 of 247.',
];

/** A snapshot that is ready unless `more` changes that. Its document is created once. */
function shelved(
  title: string,
  purpose: string,
  make: () => SnapshotDocument,
  more: Partial<ShelfEntry> = {},
): ShelfEntry {
  let made: SnapshotDocument | undefined;
  const document = () => {
    made ??= make();
    return made;
  };
  return { title, purpose, document, counts: true, ...more };
}

const REALISTIC = shelved(
  'A realistic snapshot',
  'Ready at once: 37 hits in 247 checks, with CVEs, solutions and long evidence. Search it: 1001 CVE-2026-10000.',
  realisticDocument,
);

/** The snapshots of the demo; every other id gets a 404. */
export function demoShelf(): Record<string, ShelfEntry> {
  return { ...readySnapshots(), ...units(), ...slowSnapshots() };
}

function readySnapshots(): Record<string, ShelfEntry> {
  return {
    1001: REALISTIC,
    1002: shelved('Zero hits', 'Good news: 180 checks, none of which applies.', cleanDocument),
    1007: {
      title: 'Forbidden',
      purpose: 'Belongs to an account that the bot may not read: 403.',
      status: 403,
    },
    1008: shelved(
      'Hostile text',
      'Tries to mention, link, format, hide and overflow; nothing of it may work.',
      hostileDocument,
      { counts: false },
    ),
    1009: shelved(
      '2,000 hits',
      'More hits than a message names: the window lists all of them.',
      largeDocument,
      { counts: false },
    ),
    1010: shelved(
      'Before an upgrade',
      '30 hits in version 17.1.1. Who follows it hears when 1011 is looked up.',
      documentBeforeUpgrade,
    ),
    1011: shelved(
      'After the upgrade',
      'Against 1010: 20 hits are cleared, 3 are new, 2 are rated differently, and 8 are unchanged.',
      documentAfterUpgrade,
      { command: 'compare 1010 1011' },
    ),
    1012: shelved(
      'One of everything',
      'One diagnostic with one output and one solution, where a careless reader expects lists.',
      singleDocument,
      { counts: false },
    ),
    1013: shelved(
      'Several versions to upgrade to',
      'Hits that are fixed in 17.1.3.4, in 17.1.4 or in the next branch, and some that name no version.',
      documentWithUpgrades,
    ),
    26808463: { ...REALISTIC, purpose: 'The realistic snapshot of 1001 under an id of the usual length.' },
  };
}

/** The units of a pair and of a cluster. One unit is processed first; 1007 is a unit without access. */
function units(): Record<string, ShelfEntry> {
  return {
    1014: shelved(
      'A pair: lb-a',
      'One unit of a pair: 31 hits. Side by side with the other one they say what both share.',
      () => unitDocument('lb-a'),
      { command: '1014 1015' },
    ),
    1015: shelved(
      'A pair: lb-b',
      'The other unit: the 31 hits of 1014, and two more. Which of both has this CVE?',
      () => unitDocument('lb-b'),
      { command: '1014 1015 CVE-2026-10128' },
    ),
    1016: shelved(
      'A cluster: lb-c',
      'A unit of a cluster that runs an older release; of the others one takes a while, and one is forbidden.',
      () => unitDocument('lb-c'),
      { command: '1014 1016 1017 1007' },
    ),
    1017: shelved(
      'A cluster: lb-d, ready after 8 s',
      'A unit of the cluster of 1014 that is still processed for 8 seconds; here among eight.',
      () => unitDocument('lb-d'),
      {
        command: '1017 1014 1015 1016 1010 1012 1013 1002',
        processing: { forMs: 8 * SECOND, reasons: ['Diagnostics are running: 201 of 247.'] },
      },
    ),
  };
}

function slowSnapshots(): Record<string, ShelfEntry> {
  return {
    1003: shelved(
      'Ready after 8 s',
      'Still processing for 8 seconds, then a result; gives no reason.',
      realisticDocument,
      { processing: { forMs: 8 * SECOND } },
    ),
    1004: shelved(
      'Ready after 25 s, with reasons',
      'Still processing for 25 seconds with a reason that changes, then a result.',
      realisticDocument,
      { processing: { forMs: 25 * SECOND, reasons: REASONS } },
    ),
    1005: {
      title: 'Processing forever',
      purpose: 'An analysis that never ends: the bot has to give up politely.',
      processing: { forMs: 'forever', reasons: ['The snapshot is waiting in a queue.'] },
    },
    1006: {
      title: 'Fails midway',
      purpose: 'Still processing at first, then the service answers 500 forever.',
      processing: { forMs: 5 * SECOND, reasons: ['Diagnostics are running.'] },
      failsMidway: true,
    },
  };
}
