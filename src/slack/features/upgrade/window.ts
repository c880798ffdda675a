import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import type { Upgrade, Upgrades } from '../../../core/upgrading.ts';
import { fixesLine, versionText } from '../../answer/upgrade-words.ts';
import { count, counted, importanceOf } from '../../answer/wording.ts';
import {
  actions,
  button,
  header,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../../block-kit/blocks.ts';
import { readCarried } from '../../block-kit/carried.ts';
import { shorten } from '../../block-kit/limits.ts';
import { modal } from '../../block-kit/modal.ts';

/** Shows another version, or another page of its hits. Followed by a number: an action id is unique in its block. */
export const UPGRADE_ACTION = 'upgrade-';

/** Which release that runs, which one to upgrade to (the recommended one where none is named), and which page; from 0. */
const position = z.object({
  upgrade: z.int().min(0).optional(),
  page: z.int().min(0),
  release: z.int().min(0).optional(),
});
export type UpgradePosition = z.infer<typeof position>;
export const FIRST_POSITION: UpgradePosition = { page: 0 };

const LINES_A_PAGE = 25;
const LONGEST_LINE = 140;
const LONGEST_FIXED_IN = 60;
const LONGEST_RELEASE = 30;
const MOST_UNORDERED = 5;
const CAUTION =
  'This knows only the releases that the hits name. A release may also fix hits that name none, and a fix in one branch says nothing about another.';

/** Throws `UnreadableValue` if the text has another form. */
export function readUpgradePosition(value: string | undefined): UpgradePosition {
  return readCarried(position, value);
}

export const NO_FIX = 'The hits of this analysis name no version that fixes them.';

/**
 * Every release with its figures, then what the chosen one leaves and fixes, in pages. It opens with the recommended one.
 * `running`: the releases in use, of several snapshots; `all` is what upgrades of the chosen one would fix.
 */
export function upgradeModal(
  all: Upgrades | undefined,
  { upgrade: chosen, page: wanted, release = 0 }: UpgradePosition,
  running: readonly string[] = [],
): types.ModalView {
  const title = 'What an upgrade fixes';
  const buttons = running.map((label, index) => releaseButton(label, index, release));
  const inUse = running.some(Boolean) ? [actions(buttons)] : [];
  if (all === undefined) return modal({ title }, [...inUse, richText([words(NO_FIX)])]);
  const { upgrades, recommended, hits } = all;
  const at = Math.min(
    chosen ?? upgrades.findIndex(({ version }) => version === recommended?.version),
    upgrades.length - 1,
  );
  const upgrade = upgrades[at];
  const lines =
    upgrade === undefined
      ? hits.map((hit) => ({ section: `Not fixed (${count(hits.length)})`, hit }))
      : linesOf(upgrade);
  const pages = Math.max(1, Math.ceil(lines.length / LINES_A_PAGE));
  const page = Math.min(wanted, pages - 1);
  const [unordered, unnamed] = [unorderedOf(all), unnamedOf(all)];
  return modal({ title }, [
    ...inUse,
    ...(upgrade === undefined
      ? [header('No upgrade can be recommended')]
      : [
          richText(...upgrades.map((each) => releaseLine(each, all))),
          ...(upgrades.length > 1
            ? [actions(upgrades.map((each, index) => versionButton(each, index, at, release)))]
            : []),
          header(`${versionText(upgrade)} leaves ${counted(upgrade.remaining.length, 'hit')}`),
        ]),
    ...(unordered === '' ? [] : [richText([words(unordered)])]),
    ...sections(lines.slice(page * LINES_A_PAGE, (page + 1) * LINES_A_PAGE)),
    ...pageButtons({ release, upgrade: Math.max(at, 0), page }, pages),
    smallPrint(`${unnamed === '' ? '' : `${unnamed}. `}${CAUTION}`),
  ]);
}

/** `17.1.4 fixes 20 of 37 hits, both critical ones`, bold where that is the one to take. */
function releaseLine(upgrade: Upgrade, all: Upgrades): RichElement[] {
  const next = upgrade.branch === 'next' ? ' (next branch)' : '';
  return [
    words(`${fixesLine(upgrade, all)}${next}`, upgrade === all.recommended ? { bold: true } : undefined),
  ];
}

/** `9 hits name no release that fixes them`, or ''. */
function unnamedOf({ unnamed }: Upgrades): string {
  return unnamed.length === 0
    ? ''
    : `${count(unnamed.length)} ${unnamed.length === 1 ? 'hit names' : 'hits name'} no release that fixes ${unnamed.length === 1 ? 'it' : 'them'}`;
}

/** `I can’t tell whether these fix releases are later than the running one: 17.1.?.4.`, or ''. */
function unorderedOf({ unordered }: Upgrades): string {
  if (unordered.length === 0) return '';
  const named = unordered.slice(0, MOST_UNORDERED).map((version) => versionText({ version }));
  const more = unordered.length > named.length ? ` and ${count(unordered.length - named.length)} more` : '';
  return `I can’t tell whether these fix releases are later than the running one: ${named.join(', ')}${more}.`;
}

function releaseButton(release: string, index: number, chosen: number): types.Button {
  const label = shorten(`${index === chosen ? '● ' : ''}${release}`, LONGEST_RELEASE);
  return button(
    label,
    `${UPGRADE_ACTION}release-${index}`,
    carried({ ...FIRST_POSITION, release: index }),
    `${release} runs now`,
  );
}

function versionButton(upgrade: Upgrade, index: number, chosen: number, release: number): types.Button {
  const label = `${index === chosen ? '● ' : ''}${versionText(upgrade)}`;
  const value = carried({ upgrade: index, page: 0, release });
  const spoken = `${versionText(upgrade)}: what it leaves and fixes`;
  return button(label, `${UPGRADE_ACTION}${index}`, value, spoken);
}

function carried(to: UpgradePosition): string {
  return JSON.stringify(to);
}

type Line = { readonly section?: string; readonly hit: Diagnostic };

/** What it does not fix comes first, because that still needs work; the heading of the window counts it. */
function linesOf({ remaining, fixed }: Upgrade): Line[] {
  const isFixed = `✓ Fixed (${count(fixed.length)})`;
  return [...remaining.map((hit) => ({ hit })), ...fixed.map((hit) => ({ section: isFixed, hit }))];
}

function sections(lines: readonly Line[]): types.KnownBlock[] {
  return [...Map.groupBy(lines, ({ section }) => section)].map(([section, some]) =>
    richText(
      ...(section === undefined ? [] : [[words(section, { bold: true })]]),
      ...some.map(({ hit }) => [words(lineOf(hit))]),
    ),
  );
}

function lineOf(hit: Diagnostic): string {
  const fixedIn =
    hit.fixedIn.length === 0 ? '' : ` · fixed in ${shorten(hit.fixedIn.join(', '), LONGEST_FIXED_IN)}`;
  return `${shorten(`${importanceOf(hit)} · ${hit.title || hit.name}`, LONGEST_LINE)}${fixedIn}`;
}

function pageButtons(at: UpgradePosition, pages: number): types.KnownBlock[] {
  const { page } = at;
  const go = (label: string, to: number) =>
    button(label, `${UPGRADE_ACTION}page-${to}`, carried({ ...at, page: to }));
  const buttons = [
    ...(page > 0 ? [go('◂ Previous', page - 1)] : []),
    ...(page < pages - 1 ? [go('Next ▸', page + 1)] : []),
  ];
  return buttons.length === 0 ? [] : [smallPrint(`Page ${page + 1} of ${pages}`), actions(buttons)];
}
