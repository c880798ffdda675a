import type { types } from '@slack/bolt';
import type { Unit } from '../../lookups/lookup-status.ts';
import { type ViewState, viewValue } from '../block-kit/action-values.ts';
import { button, type Message, words } from '../block-kit/blocks.ts';
import { showSelect } from './comparison-message.ts';
import { filterLine, filterSelect } from './filter.ts';
import { textLine } from './message-text.ts';
import { pagedMessage, passedItem } from './page.ts';
import { resultMenu } from './result-menu.ts';
import type { ResultModel, ShownHit } from './result-model.ts';
import { WHOLE_RESULT_ACTION } from './search-message.ts';
import { namedUnits, readyAt } from './several-model.ts';
import {
  changedSince,
  differences,
  everyOne,
  ownersNote,
  passedOn,
  severalHeader,
  severalTitle,
  unitLine,
  unitText,
  verdictOf,
} from './several-words.ts';
import type { Since } from './since.ts';
import { ASK_AGAIN_ACTION } from './waiting.ts';
import { capital, readWords } from './wording.ts';

/** Several snapshots; the model is absent while none has a result. `waiting`: what stands below it while it waits. */
type SeveralView = {
  readonly state: ViewState;
  readonly units: readonly Unit[];
  readonly model: ResultModel | undefined;
  readonly since?: readonly Since[];
  readonly waiting?:
    | { readonly footer: readonly string[]; readonly menus: readonly types.Button[] }
    | undefined;
};

const SHOW_ALL = 'everything';

/**
 * Several snapshots side by side: the verdict, a line for each, why they differ, and the hits that all share or only some
 * have. While it waits for some of them it shows what is known.
 */
export function severalMessage({ state, units, model, since = [], waiting }: SeveralView): Message {
  const named = model?.units ?? namedUnits(units);
  const verdict = verdictOf(named, model);
  const why = [...differences(named), model === undefined ? '' : filterLine(model)].filter(
    (line) => line !== '',
  );
  const lines = named.map((unit) => unitLine(unit, model, named.length));
  const { listed = [], pages = [] } = model ?? {};
  const { news, text } = model === undefined ? { news: [], text: '' } : changedSince(since, model);
  return pagedMessage({
    state,
    title: severalTitle(state),
    header: severalHeader(state),
    headline: [verdict, ...named.map((unit) => unitText(unit, model)), ...why, text].filter(Boolean),
    overview: [[words(verdict, { bold: true })], ...lines, ...why.map((line) => [words(line)])],
    news,
    noun: model?.noun === 'check' ? 'Checks' : 'Hits',
    listed,
    pages: waiting === undefined ? pages : pages.slice(0, 1),
    itemOf: (each, index) => {
      if (model === undefined) throw new RangeError('nothing is listed without a result');
      const { hit, accepted, form } = each;
      if (form === 'line') return passedItem(hit, passedOn(each, model));
      const note = shortNote(each, model);
      return { hit: { hit, index, view: model.view, note, usualHost: model.usualHost, accepted } };
    },
    textOf: ({ hit, accepted }) => textLine(hit, accepted),
    footer: waiting?.footer ?? [
      `asked by <@${state.askedBy}>`,
      ...(model ? [readWords(model.answers.readAt, Math.min(model.answers.readAt, state.madeAt))] : []),
    ],
    menus: waiting?.menus ?? menusOf(state, units, model),
  });
}

function menusOf(state: ViewState, units: readonly Unit[], model: ResultModel | undefined) {
  const isWhole = readyAt(units).length === units.length;
  const again = units.some(({ kind }) => kind === 'open') ? 'Keep waiting' : 'Try again';
  const spoken = `${again} for those without a result`;
  return [
    isWhole ? undefined : button(again, ASK_AGAIN_ACTION, viewValue(state), spoken),
    state.search === undefined ? undefined : button('Show all hits', WHOLE_RESULT_ACTION),
    model && shareSelect(model),
    model?.noun === 'hit' ? filterSelect(model) : undefined,
    model && resultMenu(model),
  ];
}

/** Whose a hit is, in a title: where the names would leave no room to it, how many they are. */
function shortNote(row: ShownHit, model: ResultModel): string {
  const note = ownersNote(row, model);
  const owners = (row.cells ?? []).filter((cell) => cell !== undefined).length;
  return note.length > LONGEST_NOTE && owners > 2 ? `${owners} of ${model.units?.length}` : note;
}
const LONGEST_NOTE = 20;

/** What all share, or what only some have. */
function shareSelect({ all, units = [], noun, view }: ResultModel): types.StaticSelect | undefined {
  const shared = all.filter(({ share }) => share === 'shared').length;
  if (shared === 0 || shared === all.length) return undefined;
  const everything = { label: 'All of them', value: SHOW_ALL, size: all.length };
  const kinds = [
    { label: `${capital(everyOne(units))} have it`, value: 'shared', size: shared },
    { label: 'Only some have it', value: 'some', size: all.length - shared },
  ];
  return showSelect(`all ${noun}s`, everything, kinds, view.show);
}
