import { describe, expect, test } from 'vitest';
import type { Device, Diagnostic, DiagnosticSet } from '../../../../src/core/diagnostics.ts';
import { type Answers, answersOf, type ReadyUnit, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import {
  arranged,
  othersAreFor,
  unitsMessage,
  viewMessage,
} from '../../../../src/slack/answer/view-message.ts';
import { readView, type View, type ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { choicesOf } from '../../../support/clicking.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const hit = (name: string) => aDiagnostic({ name });
const CHECK = aDiagnostic({ name: 'C1', match: 'miss' });
const questionOf = (id: number, set: DiagnosticSet = 'all') => ({ snapshotId: snapshotId(String(id)), set });
const [ONE, OTHER] = [questionOf(1010), questionOf(1011)];
const STATE: ViewState = { question: ONE, page: 0, askedBy: 'U1', madeAt: 60_000, turn: 0 };
const COMPARED: ViewState = { ...STATE, question: OTHER, before: ONE, beforeMadeAt: 60_000 };

const read = (diagnostics: readonly Diagnostic[], readAt = 60_000): Answers => ({
  result: aResult(diagnostics),
  readAt,
});
const unitOf = (
  question: View['question'],
  diagnostics: readonly Diagnostic[],
  device?: Device,
): ReadyUnit => {
  const { result, readAt } = read(diagnostics);
  return { kind: 'ready', question, readAt, result: { ...result, ...(device && { device }) } };
};
const OPEN: Unit = { kind: 'open', isProcessing: true, reason: '', question: questionOf(1012) };
const FAILED: Unit = { kind: 'failed', why: 'forbidden', question: questionOf(1013) };
const host = (hostname: string): Device => ({ hostname, chassisSerial: '', platform: '' });
const [A, B] = [unitOf(ONE, [hit('D1')], host('a')), unitOf(OTHER, [hit('D1')], host('b'))];

/** What the buttons of a message are called, and its menus with their present choice. */
const labelsOf = (state: ViewState, answers: Answers) =>
  textsOf(viewMessage(state, answers).blocks.slice(-1), 'plain_text');
const several = (units: readonly Unit[], asked: Partial<ViewState> = {}) => {
  const [first = A, ...others] = units;
  const state = {
    ...STATE,
    ...asked,
    question: first.question,
    others: others.map(({ question }) => question),
  };
  const answers = answersOf(state, units);
  if (answers === undefined) throw new Error('none has a result');
  return { state, answers };
};

describe('The footer of a message', () => {
  const footer = (state: ViewState, answers: Answers) =>
    textsOf(viewMessage(state, answers).blocks, 'mrkdwn').find((text) => text.includes('asked by'));

  test.each([
    ['when it was made', STATE, 60_000, undefined, false],
    ['later', STATE, 120_000, undefined, true],
    ['before it was made', { ...STATE, madeAt: 120_000 }, 60_000, undefined, false],
    ['later than both of a comparison', { ...COMPARED, madeAt: 120_000 }, 120_000, 120_000, true],
    ['before one of a comparison', { ...COMPARED, madeAt: 120_000 }, 120_000, 60_000, false],
  ])('says the day where the result was read %s: %o', (_when, state, readAt, before, hasDay) => {
    const answers = { ...read([], readAt), ...(before !== undefined && { before: read([], before) }) };
    expect(footer(state, answers)?.includes('{date')).toBe(hasDay);
  });
});

describe('What stands below a message leads', () => {
  test('to the snapshots without a result, with all that was asked', () => {
    const again = (units: readonly Unit[]) => {
      const { state, answers } = several(units, { filter: { cve: 'with' } });
      return objectsIn(viewMessage(state, answers).blocks).find(({ action_id: id }) => id === 'ask-again');
    };
    expect(again([A, B])).toBeUndefined();
    expect(again([A, FAILED, OPEN])).toMatchObject({ text: { text: 'Keep waiting' } });
    expect(again([A, FAILED])).toMatchObject({ text: { text: 'Try again' } });
    expect(readView(String(again([A, FAILED])?.value))).toEqual({
      ...{ question: ONE, others: [FAILED.question], filter: { cve: 'with' } },
    });
  });

  test('to the last result of the device, but not from a search', () => {
    const lastRead = { question: OTHER, at: 0, isNewer: true, isOtherHost: false, found: undefined };
    const found = { matches: new Set<Diagnostic>(), verdicts: [] };
    const answers = { ...read([hit('D1')]), lastRead };
    expect(labelsOf(STATE, answers)).toContain('Compare');
    expect(labelsOf({ ...STATE, search: ['core'] }, { ...answers, found })).not.toContain('Compare');
  });

  test('from a search to everything', () => {
    const found = { matches: new Set<Diagnostic>(), verdicts: [] };
    const searched = (...diagnostics: Diagnostic[]) =>
      labelsOf({ ...STATE, search: ['core'] }, { ...read(diagnostics), found })[0];
    expect(searched(hit('D1'), hit('D2'))).toBe('Show all 2 hits');
    expect(searched(CHECK)).toBe('Show everything');
    const units = [A, B].map((unit) => ({ ...unit, result: aResult([CHECK]), found }));
    const { state, answers } = several(units, { search: ['core'] });
    expect(labelsOf(state, answers)[0]).toBe('Show all hits');
  });

  test('to other pages only once all are there', () => {
    const hits = Array.from({ length: 12 }, (_, at) => hit(`D${at}`));
    const { state, answers } = several([unitOf(ONE, hits), OPEN]);
    const idsIn = ({ blocks }: { readonly blocks: readonly object[] }) =>
      objectsIn(blocks).map(({ action_id: id }) => id);
    expect(idsIn(viewMessage(state, answers))).toContain('page-next');
    const waiting = unitsMessage(state, answers.units ?? []);
    expect(idsIn(waiting)).not.toContain('page-next');
    expect(idsIn(waiting)).toContain('ask-again');
    const footed = unitsMessage(state, answers.units ?? [], { footer: ['waiting'], menus: [] });
    expect(textsOf(footed.blocks, 'mrkdwn').join()).toContain('waiting');
    expect(idsIn(footed)).not.toContain('ask-again');
  });
});

describe('The menu of a message', () => {
  const FIXED = { ...hit('D1'), fixedIn: ['17.1.4'] };
  const menuOf = (state: ViewState, answers: Answers) => [
    ...choicesOf({ blocks: [...viewMessage(state, answers).blocks] }, 'more').keys(),
  ];
  const ALWAYS = ['Text for the case', 'Refresh'];

  test('offers what an upgrade fixes where one of the snapshots has any', () => {
    expect(menuOf(STATE, read([hit('D1')]))).toEqual(['Search…', ...ALWAYS, 'Compare, follow, export…']);
    const upgrade = ['Search…', 'What an upgrade fixes', ...ALWAYS];
    expect(menuOf(STATE, read([FIXED]))).toEqual([...upgrade, 'Compare, follow, export…']);
    const { state, answers } = several([A, unitOf(OTHER, [FIXED], host('b'))]);
    expect(menuOf(state, answers)).toEqual([...upgrade, 'Browse, export…']);
  });

  test('turns a comparison round where it may be of two devices', () => {
    const of = (device: Device) => {
      const { result, readAt } = read([FIXED]);
      const both = { result: { ...result, device }, readAt };
      return menuOf(COMPARED, { ...both, before: both });
    };
    expect(of(host('a'))).toEqual([...ALWAYS, 'Browse, export…']);
    expect(of(host(''))).toEqual(['Swap before and after', ...ALWAYS, 'Browse, export…']);
  });

  test('is for what can be done with all that there is', () => {
    const of = (view: View, diagnostics: readonly Diagnostic[]) =>
      othersAreFor(modelOf(view, read(diagnostics)));
    expect(of({ question: questionOf(1010, 'miss') }, [CHECK])).toBe('Compare, export');
    expect(of(STATE, [])).toBe('Compare, follow, export');
  });
});

describe('What stands in its order', () => {
  const sameDevice = (question: View['question'], at: number): ReadyUnit => ({
    ...unitOf(question, [hit(`D${at}`)], host('a')),
    readAt: at,
  });

  test('is a pair of one device, by time, with when each was read', () => {
    for (const units of [
      [sameDevice(ONE, 1), sameDevice(OTHER, 2)],
      [sameDevice(OTHER, 2), sameDevice(ONE, 1)],
    ]) {
      const { state, answers } = several(units);
      const shown = arranged(state, answers);
      expect(shown.state).toMatchObject({ question: { snapshotId: '1011' }, before: { snapshotId: '1010' } });
      expect(shown.state).toMatchObject({ madeAt: 2, beforeMadeAt: 1 });
      expect(shown.state).not.toHaveProperty('others');
      expect(shown.answers.result.diagnostics).toEqual([hit('D2')]);
      expect(shown.answers.before?.result.diagnostics).toEqual([hit('D1')]);
    }
    const { state, answers } = several([sameDevice(ONE, 1), sameDevice(OTHER, 2), B]);
    expect(arranged(state, answers)).toEqual({ state, answers });
  });

  test('is a comparison of two devices side by side, the first one first', () => {
    const units = [A, B];
    const answers = answersOf(COMPARED, units);
    if (answers === undefined) throw new Error('both have a result');
    expect(arranged({ ...COMPARED, show: 'new' }, answers).state).toEqual({ ...STATE, others: [OTHER] });
  });
});
