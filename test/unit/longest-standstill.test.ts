import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult, Match } from '../../src/core/diagnostics.ts';
import type { Question } from '../../src/core/lookup.ts';
import { search } from '../../src/core/searching.ts';
import { upgradesOf } from '../../src/core/upgrading.ts';
import type { Answers, ReadyUnit } from '../../src/lookups/lookup-status.ts';
import { answersTo } from '../../src/lookups/read-units.ts';
import { boundedTexts } from '../../src/service/bounded-texts.ts';
import { diagnosticsClient } from '../../src/service/client.ts';
import { login } from '../../src/service/login.ts';
import { RETRY_POLICY, type ServiceParts, SharedState } from '../../src/service/shared-state.ts';
import type { HttpResponse } from '../../src/service/transport.ts';
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

/** The worst documents that are kept, each in its own way: as many checks, and as much text, as `src/service` takes. */
const DOCUMENTS: Readonly<Record<string, () => readonly Diagnostic[]>> = {
  'many checks with long texts': () =>
    many(() => ({
      summary: 'word '.repeat(90),
      action: 'Upgrade. '.repeat(50),
      output: ['x=1 '.repeat(100)],
    })),
  'one endless text': () => [aDiagnostic({ output: ['z'.repeat(2_100_000)] })],
  'one endless text of signs with marks': () => [aDiagnostic({ action: 'a\u0301'.repeat(1_100_000) })],
  'letters with marks without end': () => [
    aDiagnostic({ title: 'a\u0301\u0327'.repeat(20), output: texts(20, '\u0301\u0327'.repeat(45_000)) }),
    aDiagnostic({ title: '\u0301\u0327'.repeat(40_000) }),
  ],
  'lines without end': () => [
    aDiagnostic({ summary: '=\n'.repeat(1_000_000), output: ['`\n'.repeat(1_000_000)] }),
  ],
  'blocks without end': () => [aDiagnostic({ output: texts(24_000, 'x') })],
  'ids and versions without end': () =>
    many((at) => ({
      cveIds: texts(2, `CVE-2026-${10_000 + at}`),
      fixedIn: texts(2, `17.${at % 9}.${at % 50}`),
    })),
  'versions without end, of which the last alone is enough': () => [
    ...many(() => ({ importance: 'CRITICAL', fixedIn: ['17.1.4'] })).slice(0, 1_500),
    aDiagnostic({ importance: 'LOW', fixedIn: texts(9_000, '').map((_, at) => `17.1.${at + 5}`) }),
    aDiagnostic({ importance: 'CRITICAL', fixedIn: ['17.1.9004'] }),
  ],
  'versions without end, of which no order with a hotfix is known': () => [
    ...many((at) => ({ importance: 'CRITICAL', fixedIn: [`17.1.4.${at}`] })).slice(0, 1_500),
    aDiagnostic({ importance: 'CRITICAL', fixedIn: ['17.1.4.1600 HF1'] }),
    aDiagnostic({ importance: 'LOW', fixedIn: texts(9_000, '').map((_, at) => `17.1.4.${at + 1_601}`) }),
  ],
  'articles without end': () =>
    many((at) => ({
      solutions: texts(3, '').map((_, n) => ({ url: `https://x.example/${at}/K${n}`, id: `K${n}${at}` })),
    })),
  'long titles': () => many((at) => ({ title: `${'CVE-2026-1000 '.repeat(40)}${at}` })),
  'texts of markup': () =>
    many(() => ({
      title: '<*_`@#|:'.repeat(20),
      summary: '<*_`@#|:'.repeat(60),
      action: ';=@\t'.repeat(60),
    })),
};

function kept(make: () => readonly Diagnostic[]): DiagnosticsResult {
  const bounded = boundedTexts(make());
  if (bounded === undefined) throw new Error('the service’s room refuses this document');
  return { ...aResult([]), ...bounded };
}

const FILES = ['csv', 'markdown', 'case', 'links'] as const;

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
    const result = kept(make);
    // Another object each time: nothing that was drawn before helps.
    const works = Object.entries(WORK).map(([what, draw]) => {
      return [what, () => draw({ ...result, diagnostics: [...result.diagnostics] })] as const;
    });
    expect(await slowOf(works)).toEqual([]);
  },
);

/** Eight documents of as many checks as are kept, side by side: all have the same names, and each name is a hit of one at least. */
function besideEachOther(isHit: (at: number, unit: number) => boolean): ReadyUnit[] {
  return Array.from({ length: 8 }, (_, unit) => {
    const question = { snapshotId: snapshotId(`${26_808_400 + unit}`), set: 'all' as const };
    const diagnostics = many((at) => ({
      name: `${'D'.repeat(490)}${10_000 + at}`,
      match: isHit(at, unit) ? 'hit' : 'miss',
    }));
    return { kind: 'ready' as const, question, result: aResult(diagnostics), readAt: 0 };
  });
}

/** The same, with the texts that such a request keeps: what a message shows, or all of the hits for a file. */
async function sideBySide(make: () => readonly Diagnostic[], whole?: Match): Promise<Answers> {
  const questions = Array.from({ length: 8 }, (_, at) => ({
    snapshotId: snapshotId(`${26_808_400 + at}`),
    set: 'all' as const,
  }));
  const [question = STATE.question, ...others] = questions;
  const read = async (each: Question) => {
    // No two have a hit in common: that makes the most rows.
    const diagnostics = make().map((one) => ({ ...one, name: `${one.name}-${each.snapshotId}` }));
    return { kind: 'ready' as const, result: kept(() => diagnostics), readAt: 0 };
  };
  const answers = await answersTo({ question, others }, read, whole);
  if (answers === undefined) throw new Error('all of them have a result');
  return answers;
}

const SEVERAL: ViewState = {
  ...STATE,
  others: besideEachOther(() => true)
    .map(({ question }) => question)
    .slice(1),
};

test.each(['many checks with long texts', 'long titles', 'articles without end', 'texts of markup'])(
  'Eight documents with %s side by side do not hold the loop for 200 ms',
  async (name) => {
    const make = DOCUMENTS[name] ?? (() => []);
    const shown = await sideBySide(make);
    const whole = await sideBySide(make, 'hit');
    const works = [
      ['message', () => viewMessage(SEVERAL, shown)],
      ...FILES.map((kind) => [kind, () => fileOf(SEVERAL, whole, kind)] as const),
    ] as const;
    expect(await slowOf(works)).toEqual([]);
  },
);

test('An export of documents side by side takes no longer where the hits of one are checks that passed on others', async () => {
  const exporting = (isHit: (at: number, unit: number) => boolean) => {
    const units = besideEachOther(isHit);
    return () => {
      // Other objects each time: nothing that was found before helps.
      const anew = units.map((unit) => ({ ...unit, result: { ...unit.result } }));
      return fileOf(STATE, { result: aResult([]), readAt: 0, units: anew }, 'csv');
    };
  };
  // As many rows both times. Where they are mixed, seven documents of each row are searched for the check that passed.
  const alike = await least(exporting(() => true));
  const mixed = await least(exporting((at, unit) => at % 8 === unit));
  expect(mixed).toBeLessThan(alike * 2);
});

const SERVICE = {
  settings: {
    ...{
      baseUrl: 'https://api.example',
      authUrl: 'https://login.example',
      loginUrl: 'https://login.example',
    },
    ...{ vendor: 'acme', userId: 'a', userSecret: 'b', userAgent: 'bot/1' },
  },
  ...{ retry: RETRY_POLICY, coolDownMs: 0, now: () => 0, state: SharedState.alone(() => 0) },
};
const answering = (answer: HttpResponse): ServiceParts['transport'] => ({
  stopping: new AbortController().signal,
  send: async (_request, read) => read(answer),
});
const MB = 1024 * 1024;
const ANSWERS: Readonly<Record<string, (body: Uint8Array) => Promise<unknown>>> = {
  'a login': (body) =>
    login({
      ...SERVICE,
      transport: answering({ status: 200, headers: { 'set-cookie': 'ssosession=a;Path=/' }, body }),
    }),
  'a 202': (body) =>
    diagnosticsClient(
      {
        ...SERVICE,
        transport: answering({
          status: 202,
          headers: { 'content-type': 'text/html;charset=iso-2022-jp' },
          body,
        }),
      },
      { authenticate: async () => ({ cookie: '', generation: '' }), refused: async () => false },
    ).diagnostics({ snapshotId: ID, set: 'all' }),
};

test.each([
  ['a login', () => Buffer.from(`{"expires":0,"more":[${'[],'.repeat(10 * MB)}0]}`)],
  // Japanese in a charset that is slow to decode.
  ['a 202', () => Buffer.alloc(30 * MB, `\x1b$B${'$"'.repeat(50)}\x1b(B`)],
])('%s with all that a body may hold does not hold the loop for 200 ms', async (name, bodyOf) => {
  const body = bodyOf();
  expect(await longestStretch(() => ANSWERS[name]?.(body))).toBeLessThan(MOST);
});

test('The measure notices work that holds the loop, and not work that lets others have turns', async () => {
  // The same work both times, and four times as much: what else the machine does can't turn these round.
  const text = JSON.stringify(texts(20_000, 'word '.repeat(20)));
  const parse = (times: number) => {
    for (let each = 0; each < times; each += 1) JSON.parse(text);
  };
  const quarter = await least(() => parse(50));
  const held = await least(() => parse(200));
  const shared = await least(async () => {
    for (let times = 0; times < 200; times += 1) {
      parse(1);
      await turn();
    }
  });
  expect(held).toBeGreaterThan(quarter * 2);
  expect(shared).toBeLessThan(held / 4);
});
