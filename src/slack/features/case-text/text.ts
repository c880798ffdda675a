import { mapInTurns } from '../../../core/event-loop.ts';
import type { LevelGroup } from '../../../core/importance.ts';
import { cveIdsIn } from '../../../core/naming.ts';
import { oneLine } from '../../../core/texts.ts';
import { acceptedText, changeWord, ownersNote } from '../../answer/hit-notes.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import { isThrough, type ShownHit } from '../../answer/rows.ts';
import { articleLabel, webAddress } from '../../answer/solutions.ts';
import { reportHead, sizesOf } from '../../answer/whole-hit.ts';
import { actionOf, capital, ratingOf, subjectOf } from '../../answer/wording.ts';
import { LIMITS } from '../../blocks/limits.ts';
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

/** Every text that differs from the others, the shortest list of hits first. Lets the event loop take turns. */
export async function caseTexts(model: ResultModel): Promise<CaseText[]> {
  const sizes = new Set([0, model.listed.length]);
  const texts: CaseText[] = [];
  for (const part of CASE_PARTS) {
    const { listed } = narrowed(model, part);
    if (part in LEVELS && sizes.has(listed.length)) continue;
    sizes.add(listed.length);
    const label = NAMES[part] ?? (part === 'all' ? `All ${sizesOf(model, listed)}` : 'Only links');
    const size = part in LEVELS ? ` (${listed.length})` : '';
    texts.push({ part, label: `${label}${size}`, text: await textOf(model, part) });
  }
  return texts;
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

/** A text as a file. Lets the event loop take turns. */
export async function caseFile(model: ResultModel, part: CasePart): Promise<Export> {
  const [kind, what] = part === 'links' ? ['articles', 'The articles'] : ['case', 'Text for the case'];
  const name = `${kind}-${model.view.question.snapshotId}.txt`;
  return {
    file: { name, title: name, content: await textOf(model, part) },
    comment: `${what} of ${subjectOf(model.view)}`,
  };
}

/** The model with the hits of these levels alone. */
function narrowed(model: ResultModel, part: CasePart): ResultModel {
  const levels = LEVELS[part];
  if (levels === undefined) return model;
  const isOfLevel = (row: ShownHit) => row.hit.match === 'hit' && isThrough(row, { levels });
  const view = { ...model.view, filter: { ...model.view.filter, levels } };
  return { ...model, view, listed: model.listed.filter(isOfLevel) };
}

/** Plain text for whoever gets the case: what was found on which device, and each hit in one or two lines, or the articles. */
async function textOf(model: ResultModel, part: CasePart): Promise<string> {
  if (part === 'links') return links(model);
  const some = narrowed(model, part);
  return `${[...reportHead(some, some.listed), '', ...(await grouped(some))].join('\n')}\n`;
}

/** Of several snapshots those hits come first that most of them have, below a line that says which. */
async function grouped(model: ResultModel): Promise<string[]> {
  const { listed, units, usualHost } = model;
  if (units === undefined) return mapInTurns(listed, (each, at) => hitText(each, at + 1, usualHost));
  const rows = await mapInTurns(listed, (each) => ({ each, whose: capital(ownersNote(each, model)) }));
  const size = ({ cells = [] }: ShownHit) => cells.filter((cell) => cell !== undefined).length;
  rows.sort((a, b) => size(b.each) - size(a.each) || (a.whose < b.whose ? -1 : Number(a.whose > b.whose)));
  const texts = await mapInTurns(rows, ({ each, whose }, at) => [
    ...(whose === rows[at - 1]?.whose ? [] : [...(at === 0 ? [] : ['']), `${whose}:`]),
    hitText(each, at + 1, usualHost),
  ]);
  return texts.flat();
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
