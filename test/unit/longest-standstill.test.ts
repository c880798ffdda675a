import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../src/core/diagnostics.ts';
import { search } from '../../src/core/searching.ts';
import { upgradesOf } from '../../src/core/upgrading.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { resultModal } from '../../src/slack/answer/result-window.ts';
import { findings } from '../../src/slack/answer/result-words.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../src/slack/blocks/action-values.ts';
import { detailsModal, sharedHitMessage } from '../../src/slack/features/details/window.ts';
import { upgradeModal } from '../../src/slack/features/upgrade/index.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { fileOf } from '../support/file-of.ts';
import { longestStretch } from '../support/longest-stretch.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const ID = snapshotId('26808463');
const STATE: ViewState = {
  question: { snapshotId: ID, set: 'all' },
  ...{ page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 },
};
const COMPARED: ViewState = { ...STATE, before: { snapshotId: snapshotId('26808400'), set: 'all' } };
const SOUGHT = ['CVE-2026-10000', 'K000100032', 'leak', 'core dump'];

const texts = (count: number, text: string) => Array.from({ length: count }, () => text);
const many = (make: (at: number) => Partial<Diagnostic>) =>
  Array.from({ length: 2_000 }, (_, at) =>
    aDiagnostic({ name: `D${at}`, title: `Title ${at}`, ...make(at) }),
  );

/** Large documents, the worst of each kind. */
const DOCUMENTS: Readonly<Record<string, () => readonly Diagnostic[]>> = {
  'many checks with long texts': () =>
    many(() => ({
      summary: 'word '.repeat(90),
      action: 'Upgrade. '.repeat(50),
      output: ['x=1 '.repeat(100)],
    })),
  'ids and versions without end': () =>
    many((at) => ({
      cveIds: texts(2, `CVE-2026-${10_000 + at}`),
      fixedIn: texts(2, `17.${at % 9}.${at % 50}`),
    })),
  'texts of markup': () =>
    many(() => ({
      title: '<*_`@#|:'.repeat(20),
      summary: '<*_`@#|:'.repeat(60),
      action: ';=@\t'.repeat(60),
    })),
};

const FILES = ['csv', 'case'] as const;

/** Everything that draws or exports a result, on the first page and on the last one. */
const WORK: Readonly<Record<string, (result: DiagnosticsResult) => unknown>> = {
  message: (result) => viewMessage(STATE, { result, readAt: 0 }),
  'last page': (result) => viewMessage({ ...STATE, page: 10_000 }, { result, readAt: 0 }),
  window: (result) => resultModal(STATE, { result, readAt: 0 }),
  comparison: (result) =>
    viewMessage(COMPARED, { result, readAt: 0, before: { result: { ...result }, readAt: 0 } }),
  'a search': async (result) => {
    const found = await search(result.diagnostics, SOUGHT);
    viewMessage({ ...STATE, search: SOUGHT }, { result, readAt: 0, found });
  },
  details: (result) =>
    detailsModal({ model: modelOf(STATE, { result, readAt: 0 }), index: 0, part: 0, sharing: 'possible' }),
  'a shared hit': (result) => {
    const model = modelOf(STATE, { result, readAt: 0 });
    const [shown] = model.shown;
    if (shown !== undefined) sharedHitMessage({ model, shown, index: 0, sharedBy: 'U0ANA' });
  },
  upgrades: (result) => {
    const upgrades = upgradesOf(result);
    if (upgrades !== undefined) upgradeModal(upgrades, { upgrade: 0, page: 0 });
  },
  'the line of Home': (result) => findings(STATE.question, result),
  ...Object.fromEntries(
    FILES.map((kind) => [kind, (result: DiagnosticsResult) => fileOf(STATE, { result, readAt: 0 }, kind)]),
  ),
};

/** Work that takes some 200 ms of processor time on a usual machine, and longer on a slow one. */
function reference(): void {
  const text = JSON.stringify(texts(20_000, 'word '.repeat(20)));
  for (let times = 0; times < 150; times += 1) JSON.parse(text);
}

/** The least of several times, because the runtime compiles and collects garbage too. */
async function least(work: () => unknown): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3; times += 1) found = Math.min(found, await longestStretch(work));
  return found;
}

const MOST = await least(reference);

/** Which of these hold the loop for too long, and how long. */
async function slowOf(works: readonly (readonly [what: string, work: () => unknown])[]): Promise<string[]> {
  const slow: string[] = [];
  for (const [what, work] of works) {
    const once = await longestStretch(work);
    const took = once > MOST ? await least(work) : once;
    if (took > MOST) slow.push(`${what}: ${took / MOST} of 200 ms`);
  }
  return slow;
}

test.each(Object.entries(DOCUMENTS))(
  'No drawing and no export of a document with %s holds the loop for 200 ms',
  async (_name, make) => {
    const result = aResult(make());
    // Another object each time: nothing that was drawn before helps.
    const works = Object.entries(WORK).map(([what, draw]) => {
      return [what, () => draw({ ...result, diagnostics: [...result.diagnostics] })] as const;
    });
    expect(await slowOf(works)).toEqual([]);
  },
);
