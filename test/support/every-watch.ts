import type { types } from '@slack/bolt';
import type { Acceptance } from '../../src/core/comparing.ts';
import { compareHits, type Named } from '../../src/core/comparing.ts';
import { readDocument } from '../../src/service/document.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { watchModal } from '../../src/slack/features/watch/index.ts';
import type { Why } from '../../src/slack/features/watch/news.ts';
import { type News, newsMessage, watchEndedMessage } from '../../src/slack/features/watch/news.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { documentWithUpgrades } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { snapshotId as idOf } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const DAY_MS = 24 * 3_600_000;
const RESULT = readDocument(documentXml(documentWithUpgrades()));
const snapshotId = idOf('26808463');

/** What is new in the result since Monday: four hits, one rated differently, and two cleared. */
function news(): News {
  const hits = RESULT.diagnostics.filter(({ match }) => match === 'hit');
  const before = [
    ...hits.slice(4).map((hit, index) => (index === 0 ? { ...hit, importance: 'LOW' } : hit)),
    { name: 'D9', importance: 'HIGH' },
    { name: 'H8', importance: 'LOW' },
  ];
  const read = { result: RESULT, readAt: AT };
  return {
    snapshotId,
    users: ['U0ANA', 'U0BEN'],
    found: compareHits(before, hits),
    over: [],
    since: AT - 4 * DAY_MS,
    read,
  };
}

function acceptedBefore({ name, importance }: Named = { name: '', importance: '' }): Acceptance {
  const by = { user: 'U0ANA', userName: 'ana', reason: 'window booked', snapshotId, host: '', at: AT };
  return { name, importance, ...by, until: AT + DAY_MS };
}

/** What makes each message about a watched snapshot, by name. */
export function everyWatch(): Record<string, () => Message> {
  const { found, ...rest } = news();
  const alone = { cleared: [], changed: [], unchanged: [], new: found.new.slice(0, 1) };
  const ended = (why: Why) => () => watchEndedMessage(snapshotId, why);
  return {
    'watch-news': () => newsMessage({ ...rest, found }),
    'watch-news-of-one-hit': () => newsMessage({ ...rest, users: ['U0ANA'], found: alone }),
    'watch-news-of-what-was-accepted': () =>
      newsMessage({ ...rest, found, over: [acceptedBefore(found.changed[0]?.hit)] }),
    'watch-over': ended('over'),
    'watch-of-a-deleted-snapshot': ended('deleted'),
    'watch-without-access': ended('no-access'),
    'watch-without-a-message': ended('no-place'),
  };
}

/** What makes the modals in which somebody begins or ends a watch, by name. */
export function everyWatchModal(): Record<string, () => types.ModalView> {
  return {
    'watch-modal': () => watchModal(undefined, 'in the thread'),
    'watch-modal-of-a-private-result': () => watchModal(undefined, 'directly'),
    'watch-modal-again': () => watchModal('any', 'in the thread'),
  };
}
