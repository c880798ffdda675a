import type { types } from '@slack/bolt';
import { compareHits } from '../../src/core/comparing.ts';
import { upgradesOf } from '../../src/core/upgrading.ts';
import { readDocument } from '../../src/service/document.ts';
import { withAttention } from '../../src/slack/answer/around-message.ts';
import { processingNotice } from '../../src/slack/answer/notices.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { loadingModal, noResultModal, resultModal } from '../../src/slack/answer/result-window.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { newSnapshotModal } from '../../src/slack/features/ask/look-up.ts';
import { caseModal, caseTextMessage, REFUSED } from '../../src/slack/features/case-text/index.ts';
import { caseTextOf } from '../../src/slack/features/case-text/text.ts';
import { moreModal } from '../../src/slack/features/controls/index.ts';
import { handedOverMessage, handOverModal } from '../../src/slack/features/on-it/index.ts';
import { upgradeModal } from '../../src/slack/features/upgrade/index.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { documentWithUpgrades } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { MENU } from './feature-parts.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);
const RESULT = readDocument(documentXml(documentWithUpgrades()));
const CRITICAL = {
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  filter: { levels: ['critical'] },
} as const;
const DAY_MS = 24 * 3_600_000;
const STATE: ViewState = { ...CRITICAL, page: 0, askedBy: 'U0ANA', madeAt: AT, turn: 0 };

const NEWER = { snapshotId: snapshotId('26808470'), set: 'all' } as const;
function model() {
  return modelOf(CRITICAL, { result: RESULT, readAt: AT });
}

/** More than a window names. */
const UNORDERED = ['17.1.?.4', '17.5.0', '17.5.?', '17.6.?', '18.0.?', '18.1.?', '18.2.?'];

const CASE_ANSWERS = { result: RESULT, readAt: AT };
const WHOLE = { question: CRITICAL.question };
const GRAVE_TEXT = (await caseTextOf(WHOLE, CASE_ANSWERS, 'grave')).slice(0, 2_900);
const WHOLE_TEXT = await caseTextOf(WHOLE, CASE_ANSWERS, 'all');

/** What makes each message that follows on a result for everyone, by name. */
export function everyFollowUp(): Record<string, () => Message> {
  const answers = { result: RESULT, readAt: AT };
  const question = { snapshotId: snapshotId('26808400'), set: 'all' } as const;
  const earlier = RESULT.diagnostics.filter(({ match }) => match === 'hit').slice(5);
  const found = compareHits(
    [...earlier, { name: 'D1', importance: 'HIGH' }],
    RESULT.diagnostics.filter(({ match }) => match === 'hit'),
  );
  const lastRead = { question, at: AT - 3 * DAY_MS, isNewer: false, isOtherHost: false, found };
  return {
    'case-text-posted': () => caseTextMessage(CRITICAL, GRAVE_TEXT, 'U0BEN'),
    'result-of-a-device-read-before': () => viewMessage(STATE, { ...answers, lastRead }),
    'result-of-a-device-read-long-before': () =>
      viewMessage(STATE, {
        ...answers,
        lastRead: { ...lastRead, found: undefined },
      }),
    'result-of-a-device-with-a-newer-one': () =>
      viewMessage(STATE, { ...answers, lastRead: { ...lastRead, question: NEWER, isNewer: true } }),
    'result-of-another-host-of-the-chassis': () =>
      viewMessage(STATE, {
        ...answers,
        lastRead: { ...lastRead, host: 'edge-14.example.com', isOtherHost: true, found: undefined },
      }),
    'result-that-nobody-is-on': () => withAttention(viewMessage(STATE, answers), 'C0SUPPORT'),
    'result-with-somebody-on-it': () =>
      withAttention(viewMessage(STATE, answers), 'C0SUPPORT', {
        owner: { user: 'U0ANA', since: AT },
      }),
    'handed-over': () => handedOverMessage('U0BEN', 'U0ANA', 'snapshot 26808463 · edge-7.example.com'),
    'result-with-nothing-to-compare-with': () => viewMessage(STATE, { ...answers, hasNoLast: true }),
  };
}

/** What makes the modals in which a result is worked with, by name. */
export function everyFollowUpModal(): Record<string, () => types.ModalView> {
  const upgrades = upgradesOf(RESULT);
  if (upgrades === undefined) throw new Error('no upgrade');
  return {
    'upgrade-modal': () => upgradeModal(upgrades, { page: 0 }),
    'upgrade-modal-not-ordered': () =>
      upgradeModal({ ...upgrades, upgrades: [], unordered: UNORDERED }, { page: 0 }),
    'upgrade-modal-next-branch': () => upgradeModal(upgrades, { upgrade: 2, page: 1 }),
    'browse-modal': () => resultModal(STATE, { result: RESULT, readAt: AT }),
    'browse-modal-not-ready': () => noResultModal(STATE, processingNotice(STATE)),
    'browse-modal-loading': () => loadingModal(STATE),
    'more-modal-of-a-comparison': () =>
      moreModal(
        {
          ...model(),
          counts: { ...model().counts, shown: 3, all: 37 },
          about: 'changes',
        },
        MENU,
      ),
    'hand-over-modal': () => handOverModal(false),
    'new-snapshot-modal': () => newSnapshotModal({ channel: 'C0SUPPORT', threadTs: '1795167300.000100' }),
    'case-modal': () => caseModal({ part: 'grave', text: GRAVE_TEXT, hasChoice: true, canPost: true }),
    'case-modal-too-long': () => caseModal({ part: 'all', text: WHOLE_TEXT, hasChoice: true, canPost: true }),
    'case-modal-not-posted': () =>
      caseModal({ part: 'all', text: GRAVE_TEXT, hasChoice: false, canPost: true, problem: REFUSED }),
  };
}
