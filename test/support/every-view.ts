import type { types } from '@slack/bolt';
import { compareHits } from '../../src/core/comparing.ts';
import type { DiagnosticsResult } from '../../src/core/diagnostics.ts';
import { sideOf } from '../../src/core/importance.ts';
import { questionsOf } from '../../src/core/lookup.ts';
import { type Answers, answersOf } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import type { Since } from '../../src/slack/answer/since.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { View, ViewState } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { titled } from '../../src/slack/blocks/modal.ts';
import { compareModal } from '../../src/slack/features/compare/index.ts';
import {
  type DetailsView,
  detailsModal,
  sharedHitMessage,
  shareModal,
} from '../../src/slack/features/details/window.ts';
import { exportElsewhereMessage, longTextMessage } from '../../src/slack/front/send-file.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import {
  cleanDocument,
  documentAfterUpgrade,
  documentBeforeUpgrade,
  realisticDocument,
} from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { everyAcceptance } from './every-acceptance.ts';
import { everySeveral } from './every-several.ts';
import { snapshotId } from './snapshot-id.ts';

/** The device of the results. */
const HOST = 'edge-7.example.com';
const AT = Date.UTC(2026, 10, 20, 9, 30);
const MINUTE_MS = 60_000;
const LAST_PAGE = 7;
const ALL: View = { question: { snapshotId: snapshotId('26808463'), set: 'all' } };
const HITS: View = { question: { snapshotId: snapshotId('26808463'), set: 'hit' } };
const MISSES: View = { question: { snapshotId: snapshotId('26808463'), set: 'miss' } };
const COMPARED: View = {
  question: { snapshotId: snapshotId('1011'), set: 'hit' },
  before: { snapshotId: snapshotId('1010'), set: 'hit' },
};

function read(document: SnapshotDocument): DiagnosticsResult {
  return readDocument(documentXml(document));
}

function stateOf(view: View, page = 0): ViewState {
  const made = view.before === undefined ? {} : { beforeMadeAt: AT };
  return { ...view, page, askedBy: 'U0ANA', madeAt: AT, ...made, turn: page };
}

function one(document: SnapshotDocument): Answers {
  return { result: read(document), readAt: AT };
}

function both(before: SnapshotDocument, after: SnapshotDocument): Answers {
  return { ...one(after), before: one(before) };
}

/** What a lookup makes of both: those of two devices are several. */
function together(before: SnapshotDocument, after: SnapshotDocument): Answers {
  const units = questionsOf(COMPARED).map((question, at) => {
    return { kind: 'ready', question, ...one(at === 0 ? before : after) } as const;
  });
  return answersOf(COMPARED, units) ?? both(before, after);
}

function since(before: SnapshotDocument, after: SnapshotDocument): Since {
  const hits = (document: SnapshotDocument) => sideOf(read(document), 'hit');
  const found = compareHits(hits(before), hits(after));
  return { snapshotId: snapshotId('26808463'), at: AT - 16 * MINUTE_MS, found };
}

/** What makes a result and a comparison in each state that it can be shown in, by name. */
export function everyView(): Record<string, () => Message> {
  return { ...everyResult(), ...everyComparison(), ...everySeveral(), ...everyAcceptance(), ...everyOther() };
}

function everyResult(): Record<string, () => Message> {
  const realistic = realisticDocument();
  const grave = { ...ALL, filter: { levels: ['critical', 'high'], cve: 'with' } } satisfies View;
  const result = one(realistic);
  const show =
    (view: View, page = 0) =>
    () =>
      viewMessage(stateOf(view, page), result);
  const onlyFirst = realistic.diagnostics?.filter(({ name }) => name === 'H00040009') ?? [];
  const unstated = realistic.diagnostics
    ?.slice(0, 3)
    .map((each, at) => ({ ...each, match: [true, 'perhaps', false][at] }));
  const upgraded = since(documentBeforeUpgrade(), documentAfterUpgrade());
  const { found: _lost, ...unknown } = upgraded;
  return {
    'result-first-page': show(ALL),
    'result-middle-page': show(HITS, 3),
    'result-last-page': show(ALL, LAST_PAGE),
    'result-one-hit': () => viewMessage(stateOf(HITS), one({ ...realistic, diagnostics: onlyFirst })),
    'result-zero-hits': () => viewMessage(stateOf(ALL), one(cleanDocument())),
    'result-match-not-stated': () =>
      viewMessage(stateOf(ALL), one({ ...cleanDocument(), counts: undefined, diagnostics: unstated })),
    'result-passed-checks': show(MISSES),
    'result-empty': () => viewMessage(stateOf(ALL), one({ diagnostics: [] })),
    'result-counted-otherwise': () =>
      viewMessage(stateOf(ALL), one({ ...cleanDocument(), counts: { hit: 3, miss: 177 } })),
    'result-only-critical': show({ ...ALL, filter: { levels: ['critical'] } }),
    'result-only-grave-with-cves': show(grave),
    'result-filter-hides-all': show({ ...ALL, filter: { levels: ['unrated'] } }),
    'result-refreshed': () => viewMessage(stateOf(ALL), one(documentAfterUpgrade()), [upgraded]),
    'result-refreshed-unchanged': () => viewMessage(stateOf(ALL), result, [since(realistic, realistic)]),
    'result-refreshed-after-long': () =>
      viewMessage(stateOf(ALL), result, [{ ...unknown, found: undefined }]),
  };
}

function everyComparison(): Record<string, () => Message> {
  const answers = both(documentBeforeUpgrade(), documentAfterUpgrade());
  const show =
    (view: View, page = 0) =>
    () =>
      viewMessage(stateOf(view, page), answers);
  const other: SnapshotDocument = {
    ...documentAfterUpgrade(),
    system: { chassisSerialNumber: 'chs600778s', hostname: 'edge-8.example.com', platform: 'C117' },
  };
  return {
    'comparison-first-page': show(COMPARED),
    'comparison-last-page': show(COMPARED, 1),
    'comparison-only-cleared': show({ ...COMPARED, show: 'cleared' }),
    'comparison-only-unchanged': show({ ...COMPARED, show: 'unchanged' }),
    'comparison-of-two-devices': () =>
      viewMessage(stateOf(COMPARED), together(documentBeforeUpgrade(), other)),
    'comparison-without-a-difference': () => viewMessage(stateOf(COMPARED), both(other, other)),
    'comparison-of-nothing': () =>
      viewMessage(stateOf(COMPARED), both({ diagnostics: [] }, { diagnostics: [] })),
    'comparison-with-a-document-that-is-not-whole': () =>
      viewMessage(
        stateOf(COMPARED),
        both(documentBeforeUpgrade(), {
          ...documentAfterUpgrade(),
          diagnostics: [],
          counts: { hit: 3, miss: 177 },
        }),
      ),
    'comparison-refreshed': () =>
      viewMessage(stateOf(COMPARED), answers, [
        { ...since(documentBeforeUpgrade(), documentAfterUpgrade()), snapshotId: snapshotId('1010') },
      ]),
  };
}

function everyOther(): Record<string, () => Message> {
  const answers = one(realisticDocument());
  const share = (output?: readonly string[]) => () => {
    const { model, first } = modelWithHit(answers);
    const hit = output === undefined ? first.hit : { ...first.hit, output };
    return sharedHitMessage({ model, shown: { ...first, hit }, index: 0, sharedBy: 'U0BEN' });
  };
  return {
    'shared-hit': share(),
    'shared-hit-too-long': share([longLog()]),
    'long-text-as-a-file': () => longTextMessage('Text for the case of snapshot 26808463'),
    'export-elsewhere': () => exportElsewhereMessage('2 of 37 hits (critical) of snapshot 26808463'),
  };
}

function modelWithHit(answers: Answers) {
  const model = modelOf(ALL, answers);
  const [first] = model.shown;
  if (first === undefined) throw new Error('no hit');
  return { model, first };
}

function longLog(): string {
  return Array.from({ length: 800 }, (_, line) => `line ${line + 1} of a long log of this device`).join('\n');
}

/** What makes the details of a hit in each state, and the modal that asks for another snapshot, by name. */
export function everyViewModal(): Record<string, () => types.ModalView> {
  const answers = one(realisticDocument());
  const compared = both(documentBeforeUpgrade(), documentAfterUpgrade());
  const details =
    (changes: Partial<DetailsView> = {}) =>
    () =>
      titled(
        detailsModal({ model: modelOf(ALL, answers), index: 0, part: 0, sharing: 'possible', ...changes }),
        changes.model?.view ?? ALL,
        HOST,
      );
  return {
    'details-modal': details(),
    'details-modal-part-2': () => {
      const { model, first } = modelWithHit(answers);
      const long = { hit: { ...first.hit, output: [...first.hit.output, longLog()] } };
      return details({ model: { ...model, shown: [long, ...model.shown.slice(1)] }, part: 1 })();
    },
    'details-modal-shared': details({ index: 1, sharing: 'done' }),
    'details-modal-not-shared': details({ sharing: 'refused' }),
    'details-modal-perhaps-shared': details({ sharing: 'unsure' }),
    'details-modal-compared': () => details({ model: modelOf(COMPARED, compared), index: 3 })(),
    'share-modal': () => {
      const { model, first } = modelWithHit(answers);
      return titled(shareModal({ model, shown: first, index: 0, sharedBy: 'U0BEN' }, 0), ALL, HOST);
    },
    'compare-modal': () => titled(compareModal(), ALL, HOST),
  };
}
