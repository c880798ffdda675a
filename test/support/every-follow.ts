import type { types } from '@slack/bolt';
import { FOLLOW_KINDS } from '../../src/lookups/queue.ts';
import { readDocument } from '../../src/service/document.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { changesSince } from '../../src/slack/features/follow/changes.ts';
import {
  dueMessage,
  type Ending,
  endedMessage,
  followModal,
  newerMessage,
  newsMessage,
} from '../../src/slack/features/follow/messages.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { documentWithUpgrades } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { aFollow } from './a-follow.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const RESULT = readDocument(documentXml(documentWithUpgrades()));
const HOST = 'edge-7.example.com';
const [passed = { name: 'D9' }] = RESULT.diagnostics.filter(({ match }) => match === 'miss');

/** What is new in the result: four hits, one rated differently, one that passes now and one that is no longer checked. */
const KNOWN = {
  at: AT,
  hits: [
    ...RESULT.diagnostics
      .filter(({ match }) => match === 'hit')
      .slice(4)
      .map((hit, index) => (index === 0 ? { ...hit, importance: 'LOW' } : hit)),
    { name: passed.name, importance: 'HIGH' },
    { name: 'H8', importance: 'LOW' },
  ],
};
const FOLLOW = { ...aFollow(''), user: 'U0ANA', host: HOST, known: KNOWN };

/** What makes each message to somebody who follows a snapshot, by name. */
export function everyFollow(): Record<string, () => Message> {
  const ended = (why: Ending) => () => endedMessage(FOLLOW, why);
  const changes = changesSince(KNOWN, RESULT);
  if (changes === undefined) throw new Error('no changes');
  return {
    'follow-news': () => newsMessage(FOLLOW, changes),
    'follow-due': () => dueMessage(FOLLOW),
    'follow-newer': () => newerMessage(FOLLOW, snapshotId('26808470')),
    'follow-over': ended('over'),
    'follow-of-a-deleted-snapshot': ended('deleted'),
    'follow-without-access': ended('no-access'),
  };
}

/** What makes the window in which somebody follows, by name. */
export function everyFollowModal(): Record<string, () => types.ModalView> {
  return {
    'follow-modal': () => followModal(FOLLOW_KINDS, HOST, undefined),
    'follow-modal-again': () => followModal(['grave', 'any', 'hour', 'tomorrow', 'week'], '', 'any'),
  };
}
