import type { Diagnostic, Solution } from '../../../core/diagnostics.ts';
import { mapInTurns } from '../../../core/event-loop.ts';
import { levelOf } from '../../../core/importance.ts';
import { oneLine } from '../../../core/texts.ts';
import { acceptedText, cellOf, changeWord } from '../../answer/hit-notes.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import { cellsIn, type NamedUnit, type ShownHit, saidOf } from '../../answer/rows.ts';
import { articleLabel, solutionText, webAddress } from '../../answer/solutions.ts';
import { HIT_FIELDS, labelIn } from '../../answer/whole-hit.ts';
import { capital, evidenceText, ratingOf } from '../../answer/wording.ts';

/** What is markup wherever it stands, in Markdown or in what GitHub adds to it. */
const MARKUP = /[\\`*_[\]<>&|~$]/g;
/** What is markup at the beginning of a line only. */
const FIRST = /^(?:[-+=#:]|\d+(?=[.)](?:\s|$)))/;
/** A bare address would become a link, and `:name:` a picture. */
const ADDRESS = /:(?=\/\/)|www(?=\.)|:(?=[\w+-]+:)/gi;
/** Mentions and issue numbers are found after Markdown was read, so that no escape stops them; a word joiner does. */
const REFERENCE = /[@#](?=\w)|!(?=\d)|\bGH-(?=\d)/gi;
/** So are commits, which can be copied as code. */
const COMMIT = /^[0-9a-f]{40}$/i;
const WORD = /\w+/g;
/** What would end a cell, or escape what follows, in an address, too. */
const IN_ADDRESS = /[|\\]/g;
const ENTITY = /&(?=#?\w+;)/g;
const BACKTICKS = /`+/g;

/** Text that is read as it stands, on one line. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(REFERENCE, '$&\u2060')
    .replace(MARKUP, '\\$&')
    .replace(ADDRESS, (found) => (found === ':' ? '\\:' : `${found}\\`))
    .replace(FIRST, (found) => (/\d/.test(found) ? `${found}\\` : `\\${found}`))
    .replace(WORD, (word) => (COMMIT.test(word) ? `\`${word}\`` : word));
}

/** A report for an issue or a page: its title, what it is about, then each diagnostic with everything that is known of it. */
export async function markdownOf(
  [title = '', ...about]: readonly string[],
  { shown, usualHost, units }: Pick<ResultModel, 'shown' | 'usualHost' | 'units'>,
): Promise<string> {
  const parts = [
    `# ${markdownText(title)}`,
    ...about.filter((line) => line !== '').map(markdownText),
    ...(units === undefined ? [] : [await table(shown, units, usualHost)]),
    ...(await mapInTurns(shown, (one) => section(one, usualHost, units))),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A row for each hit, and a column for each of several snapshots. */
async function table(
  shown: readonly ShownHit[],
  units: readonly NamedUnit[],
  usualHost: string | undefined,
): Promise<string> {
  const names = ['Importance', 'Hit', ...units.map(({ name }) => name), 'Fixed in', 'Solutions'];
  const rows = await mapInTurns(shown, ({ hit, cells = [] }) => [
    ...[ratingOf(hit), `${hit.title} ${hit.name}`].map(markdownText),
    ...units.map((unit, at) => markdownText(cellOf(unit, cells[at], hit))),
    markdownText(hit.fixedIn.join(', ')),
    links(hit, usualHost),
  ]);
  return [names.map(markdownText), names.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function became(shown: ShownHit): string {
  const { kind, was } = shown;
  return kind === 'changed' && was !== undefined
    ? `${changeWord(shown)}, was ${levelOf(was).word}`
    : changeWord(shown);
}

function section(
  shown: ShownHit,
  usualHost: string | undefined,
  units: readonly NamedUnit[] | undefined,
): string {
  const { hit, accepted } = shown;
  const found = cellsIn(shown, units).filter(({ cell }) => cell.output.length > 0);
  const parts = [
    `## ${markdownText(`${ratingOf(hit)}: ${hit.title}`)}`,
    field('Name', hit.name),
    ...saidOf(shown, units, ({ title }) => title)
      .filter(({ text }) => text !== hit.title)
      .map((said) => field(labelIn('Title', said), said.text)),
    field('Change', became(shown)),
    units === undefined && accepted !== undefined ? capital(markdownText(acceptedText(accepted))) : '',
    ...HIT_FIELDS.flatMap(({ label, text }) =>
      saidOf(shown, units, text).map((said) => field(labelIn(label, said), said.text)),
    ),
    hit.solutions.length === 0 ? '' : `**Solutions:** ${links(hit, usualHost)}`,
    ...found.flatMap(({ name, cell }) => [field('Found on', name), fenced(evidenceText(cell.output))]),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Lines stay lines: a backslash at the end of one breaks it. */
function field(label: string, text: string): string {
  const lines = text
    .split('\n')
    .map(markdownText)
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  return lines.length === 1 ? `**${label}:** ${lines[0]}` : [`**${label}:**`, ...lines].join('\\\n');
}

/** Evidence as it stands: the fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = (text.match(BACKTICKS) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function links({ solutions }: Diagnostic, usualHost: string | undefined): string {
  return solutions.map((solution) => link(solution, usualHost)).join(', ');
}

function link(solution: Solution, usualHost: string | undefined): string {
  const address = webAddress(solution);
  if (address === undefined) return markdownText(solutionText(solution));
  const label = markdownText(articleLabel(solution, address, usualHost));
  // An address that was parsed holds no angle bracket.
  const target = address.href.replace(IN_ADDRESS, encodeURIComponent).replace(ENTITY, '&amp;');
  return `[${label}](<${target}>)`;
}
