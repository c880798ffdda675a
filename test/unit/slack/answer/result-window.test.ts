import { describe, expect, test } from 'vitest';
import {
  noResultModal,
  readSearchInput,
  resultModal,
  SEARCH_INPUT,
  searchInput,
} from '../../../../src/slack/answer/result-window.ts';
import { readView, type ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { objectsIn, textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const QUESTION = { snapshotId: snapshotId('1001'), set: 'all' as const };
const STATE: ViewState = { question: QUESTION, page: 1, askedBy: 'U1', madeAt: 0, turn: 3 };
const HITS = Array.from({ length: 20 }, (_, at) =>
  aDiagnostic({ name: `D${at}`, importance: at % 2 === 0 ? 'LOW' : 'HIGH' }),
);
const ANSWERS = {
  result: { ...aResult(HITS), device: { hostname: 'edge-7', chassisSerial: '', platform: '' } },
  readAt: 0,
};

describe('A result in a window', () => {
  const controlsOf = (state: ViewState, answers: Parameters<typeof resultModal>[1]) => {
    const last = resultModal(state, answers).blocks.at(-1);
    return objectsIn(last === undefined ? [] : [last]).flatMap(({ action_id: id }) => id ?? []);
  };

  test('has pages, a filter and the way back from a search, and for a comparison its kinds', () => {
    const found = { matches: new Set(HITS), verdicts: [] };
    const searched = controlsOf({ ...STATE, search: ['core'] }, { ...ANSWERS, found });
    expect(searched).toEqual(['page-previous', 'page-next', 'whole-result', 'filter']);
    const before = { result: aResult([]), readAt: 0 };
    const compared = { ...STATE, before: { ...QUESTION, snapshotId: snapshotId('1000') } };
    expect(controlsOf(compared, { ...ANSWERS, before })).toEqual(['page-previous', 'page-next', 'show']);
    // An actions block cannot be empty.
    expect(controlsOf(STATE, { ...ANSWERS, result: aResult([]) })).toEqual(['whole-result']);
  });

  test('is called after its host, and has in its field what is searched for, in another block after each change', () => {
    const found = { matches: new Set(HITS), verdicts: [] };
    const window = (turn: number) =>
      resultModal({ ...STATE, search: ['core dump'], turn }, { ...ANSWERS, found });
    expect(window(3).title.text).toContain('edge-7');
    const [first] = window(3).blocks;
    expect(first).toMatchObject({ type: 'input', element: { initial_value: '“core dump”' } });
    expect(first?.block_id).not.toBe(window(4).blocks[0]?.block_id);
    expect(searchInput()).toMatchObject({ optional: true, element: { max_length: 150 } });
    expect(searchInput().element).not.toHaveProperty('initial_value');
  });

  test('says what changed since its message was made', () => {
    const found = { new: HITS.slice(0, 1).map((hit) => ({ hit })), changed: [], cleared: [], unchanged: [] };
    const { blocks } = resultModal(STATE, ANSWERS, [{ snapshotId: QUESTION.snapshotId, at: 0, found }]);
    expect(textsOf(blocks, 'text').join()).toContain('1 new (D0) since ');
  });

  test('that is not there is read again with all that was asked', () => {
    const view = { question: QUESTION, filter: { levels: ['high' as const] }, search: ['core'] };
    const [button] = objectsIn(noResultModal(view, '*Not* ready').blocks).filter(
      ({ type }) => type === 'button',
    );
    expect(readView(String(button?.value))).toEqual(view);
  });
});

describe('What is typed into a search field', () => {
  const others = Array.from({ length: 7 }, (_, at) => ({
    ...QUESTION,
    snapshotId: snapshotId(`1000000${at}`),
  }));
  const read = (value: string, asked: Parameters<typeof readSearchInput>[1]) =>
    readSearchInput({ field: () => ({ block: 'b1', value }) }, asked);

  test('is searched for as far as a message has room for it', () => {
    expect(read('core "tmm dump"', { question: QUESTION })).toEqual({ search: ['core', 'tmm dump'] });
    expect(read('', { question: QUESTION, others })).toEqual({ search: [] });
    expect(read('a b c d e f g h i', { question: QUESTION })).toEqual({
      errors: { b1: expect.stringContaining('8 words') },
    });
    const long = 'certificates of the virtual servers, one after another';
    expect(read(long, { question: QUESTION })).toHaveProperty('search');
    expect(read(long, { question: QUESTION, others })).toEqual({
      errors: { b1: expect.stringContaining('so many snapshots') },
    });
  });

  test('is read from the block of the field', () => {
    const fields: string[] = [];
    const form = { field: (name: string) => ({ block: fields.push(name) > 0 ? name : '', value: '' }) };
    expect([readSearchInput(form, { question: QUESTION }), fields]).toEqual([{ search: [] }, [SEARCH_INPUT]]);
  });
});
