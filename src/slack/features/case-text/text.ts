import type { LevelGroup } from '../../../core/importance.ts';
import { cveIdsIn } from '../../../core/naming.ts';
import { oneLine } from '../../../core/texts.ts';
import { acceptedText, changeWord, ownersNote } from '../../answer/hit-notes.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import { isThrough, type ShownHit } from '../../answer/rows.ts';
import { articleLabel, webAddress } from '../../answer/solutions.ts';
import { reportHead, sizesOf } from '../../answer/whole-hit.ts';
import { actionOf, capital, ratingOf, subjectOf } from '../../answer/wording.ts';
import { LIMITS } from '../../block-kit/limits.ts';
import type { Export } from '../../front/send-file.ts';

/** What a text is about: some of what the message shows, all of it, or only where its articles are. */
export const CASE_PARTS = ['critical', 'grave', 'all', 'links'] as const;
export type CasePart = (typeof CASE_PARTS)[number];

/** A text with what the menu calls it. */
export type CaseText = { readonly part: CasePart; readonly label: string; readonly text: string };

const LEVELS: Partial<Record<CasePart, readonly LevelGroup[]>> = {
  critical: ['critical'],
  grave: ['critical', 'high'],
};
const NAMES: Partial<Record<CasePart, string>> = { critical: 'Critical', grave: 'Critical and high' };

/** Every text that differs from the others, the shortest list of hits first. */
export function caseTexts(model: ResultModel): CaseText[] {
  const sizes = new Set([0, model.listed.length]);
  return CASE_PARTS.flatMap((part) => {
    const { listed } = narrowed(model, part);
    const label = NAMES[part] ?? (part === 'all' ? `All ${sizesOf(model, listed)}` : 'Only links');
    if (part in LEVELS && sizes.has(listed.length)) return [];
    sizes.add(listed.length);
    const size = part in LEVELS ? ` (${listed.length})` : '';
    return { part, label: `${label}${size}`, text: part === 'links' ? links(model) : hitsText(model, part) };
  });
}

/** The part that somebody chose; else the most hits that a form holds, or all of them for a file. */
export function chosenText(texts: readonly CaseText[], part: CasePart | undefined): CaseText | undefined {
  const lists = texts.filter(({ part: each }) => each !== 'links');
  return (
    texts.find((each) => each.part === part) ?? lists.findLast(({ text }) => !isTooLong(text)) ?? lists.at(-1)
  );
}

/** Whether it is more than a form holds: then it comes as a file. */
export function isTooLong(text: string): boolean {
  return text.length > LIMITS.inputText;
}

/** A text as a file. */
export function caseFile(model: ResultModel, part: CasePart): Export {
  const [kind, what] = part === 'links' ? ['articles', 'The articles'] : ['case', 'Text for the case'];
  const name = `${kind}-${model.view.question.snapshotId}.txt`;
  const content = part === 'links' ? links(model) : hitsText(model, part);
  return { file: { name, title: name, content }, comment: `${what} of ${subjectOf(model.view)}` };
}

/** The model with the hits of these levels alone. */
function narrowed(model: ResultModel, part: CasePart): ResultModel {
  const levels = LEVELS[part];
  if (levels === undefined) return model;
  const isOfLevel = (row: ShownHit) => row.hit.match === 'hit' && isThrough(row, { levels });
  const view = { ...model.view, filter: { ...model.view.filter, levels } };
  return { ...model, view, listed: model.listed.filter(isOfLevel) };
}

/** Plain text for whoever gets the case: what was found on which device, and each hit in one or two lines. */
function hitsText(model: ResultModel, part: CasePart): string {
  const some = narrowed(model, part);
  return `${[...reportHead(some, some.listed), '', ...grouped(some)].join('\n')}\n`;
}

/** Of several snapshots those hits come first that most of them have, below a line that says which. */
function grouped(model: ResultModel): string[] {
  const { listed, units, usualHost } = model;
  if (units === undefined) return listed.map((each, at) => hitText(each, at + 1, usualHost));
  const rows = listed.map((each) => ({ each, whose: capital(ownersNote(each, model)) }));
  const size = ({ cells = [] }: ShownHit) => cells.filter((cell) => cell !== undefined).length;
  rows.sort((a, b) => size(b.each) - size(a.each) || (a.whose < b.whose ? -1 : Number(a.whose > b.whose)));
  return rows.flatMap(({ each, whose }, at) => [
    ...(whose === rows[at - 1]?.whose ? [] : [...(at === 0 ? [] : ['']), `${whose}:`]),
    hitText(each, at + 1, usualHost),
  ]);
}

function hitText(shown: ShownHit, number: number, usualHost: string | undefined): string {
  const { hit, accepted } = shown;
  const rating = [ratingOf(hit), changeWord(shown)].filter(Boolean).join(', ');
  const named = cveIdsIn(hit.title);
  const cveIds = hit.cveIds.filter((id) => !named.includes(id));
  const fixedIn = hit.fixedIn.length === 0 ? '' : `Fixed in ${hit.fixedIn.join(', ')}`;
  const facts = [cveIds.join(', '), fixedIn].filter(Boolean).join(' · ');
  const said = accepted && `${capital(acceptedText(accepted))}.`;
  // No mark stands before an address, which a phone breaks onto a line of its own.
  const toDo = [oneLine(actionOf(hit)), said, facts, articlesOf(hit, usualHost)].filter(Boolean).join(' ');
  const title = `${number}. ${rating}: ${oneLine(hit.title || hit.summary || hit.name)}`;
  // Nothing is to be done about a check that passed.
  return toDo === '' || hit.match === 'miss' ? title : `${title}\n   ${toDo}`;
}

/** The address of the first article, and what the others are called: theirs differ in that alone. */
function articlesOf({ solutions }: ShownHit['hit'], usualHost: string | undefined): string {
  const articles = solutions.map((solution) => ({ solution, address: webAddress(solution) }));
  const first = articles.findIndex(({ address }) => address !== undefined);
  const said = articles.map(({ solution, address }, at) => {
    if (address === undefined) return oneLine(solution.id ?? '');
    return at === first ? address.href : articleLabel(solution, address, usualHost);
  });
  return said.filter(Boolean).join(', ');
}

/** The address of every article once, in the order in which they appear. */
function links({ listed }: ResultModel): string {
  const found = listed.flatMap(({ hit }) => hit.solutions.flatMap((each) => webAddress(each)?.href ?? []));
  return found.length === 0 ? 'No article is linked.\n' : `${[...new Set(found)].join('\n')}\n`;
}
