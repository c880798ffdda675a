import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import type { Upgrade, Upgrades } from '../../../core/upgrading.ts';
import { isCritical, LONGEST_VERSION, versionText } from '../../answer/result-message.ts';
import { count, counted, importanceOf } from '../../answer/wording.ts';
import { readCarried } from '../../block-kit/action-values.ts';
import { actions, button, header, richText, smallPrint, words } from '../../block-kit/blocks.ts';
import { shorten } from '../../block-kit/limits.ts';
import { modal } from '../../block-kit/modal.ts';

/** Shows another version, or another page of its hits. Followed by a number: an action id is unique in its block. */
export const UPGRADE_ACTION = 'upgrade-';

/** Which version of those that can be upgraded to, and which page of its hits; both counted from 0. */
const position = z.object({ upgrade: z.int().min(0), page: z.int().min(0) });
export type UpgradePosition = z.infer<typeof position>;
export const FIRST_POSITION: UpgradePosition = { upgrade: 0, page: 0 };

const LINES_A_PAGE = 25;
const LONGEST_LINE = 140;
const LONGEST_FIXED_IN = 60;
const MOST_UNORDERED = 5;
const CAUTION =
  'This counts only the fixed versions that the hits name. A fix in one branch says nothing about another, and a hit that names no version may be fixed too.';

/** Throws `UnreadableValue` if the text has another form. */
export function readUpgradePosition(value: string | undefined): UpgradePosition {
  return readCarried(position, value);
}

/** What one version fixes and what remains, in pages; buttons lead to the other versions. */
export function upgradeModal(upgrades: Upgrades, position: UpgradePosition): types.ModalView {
  const at = Math.min(position.upgrade, upgrades.upgrades.length - 1);
  const upgrade = upgrades.upgrades[at];
  const lines = linesOf(upgrade ?? { remaining: upgrades.hits, fixed: [] });
  const pages = Math.max(1, Math.ceil(lines.length / LINES_A_PAGE));
  const page = Math.min(position.page, pages - 1);
  const [unordered, unnamed] = [unorderedOf(upgrades), unnamedOf(upgrades)];
  return modal({ title: 'What an upgrade fixes' }, [
    ...(upgrade === undefined
      ? [header('No upgrade can be recommended')]
      : [
          actions(upgrades.upgrades.map((each, index) => versionButton(each, index, at))),
          header(`${versionText(upgrade)} ${fixesOf(upgrade, upgrades)}`),
        ]),
    ...(unordered === '' ? [] : [richText([words(unordered)])]),
    smallPrint(`${unnamed === '' ? '' : `${unnamed}. `}${CAUTION}`),
    ...sections(lines.slice(page * LINES_A_PAGE, (page + 1) * LINES_A_PAGE)),
    ...pageButtons(Math.max(at, 0), page, pages),
  ]);
}

/** `fixes 12 of 37 hits (1 critical)` */
function fixesOf({ fixed }: Upgrade, { hits }: Upgrades): string {
  const critical = fixed.filter(isCritical).length;
  const worst = critical === 0 ? '' : ` (${count(critical)} critical)`;
  return `fixes ${count(fixed.length)} of ${counted(hits.length, 'hit')}${worst}`;
}

/** `9 name no fixed version`, or ''. */
function unnamedOf({ unnamed }: Upgrades): string {
  return unnamed.length === 0
    ? ''
    : `${count(unnamed.length)} ${unnamed.length === 1 ? 'names' : 'name'} no fixed version`;
}

/** `Not known to be later than the release that runs, so not recommended: 17.1.?.4.`, or ''. */
function unorderedOf({ unordered }: Upgrades): string {
  if (unordered.length === 0) return '';
  const named = unordered.slice(0, MOST_UNORDERED).map((version) => shorten(version, LONGEST_VERSION));
  const more = unordered.length > named.length ? ` and ${count(unordered.length - named.length)} more` : '';
  return `Not known to be later than the release that runs, so not recommended: ${named.join(', ')}${more}.`;
}

function versionButton(upgrade: Upgrade, index: number, chosen: number): types.Button {
  const label = `${index === chosen ? '● ' : ''}${versionText(upgrade)}`;
  const spoken = upgrade.branch === 'own' ? 'of the branch that runs now' : 'of the next branch';
  const value = carried({ upgrade: index, page: 0 });
  return button(label, `${UPGRADE_ACTION}${index}`, value, `Version ${versionText(upgrade)}, ${spoken}`);
}

function carried(to: UpgradePosition): string {
  return JSON.stringify(to);
}

type Line = { readonly section: string; readonly hit: Diagnostic };

/** The remaining hits come first, because they still need work. */
function linesOf({ remaining, fixed }: Pick<Upgrade, 'remaining' | 'fixed'>): Line[] {
  const [remains, isFixed] = [`Remaining (${count(remaining.length)})`, `✓ Fixed (${count(fixed.length)})`];
  return [
    ...remaining.map((hit) => ({ section: remains, hit })),
    ...fixed.map((hit) => ({ section: isFixed, hit })),
  ];
}

function sections(lines: readonly Line[]): types.KnownBlock[] {
  return [...Map.groupBy(lines, ({ section }) => section)].map(([section, some]) =>
    richText([words(section, { bold: true })], ...some.map(({ hit }) => [words(lineOf(hit))])),
  );
}

function lineOf(hit: Diagnostic): string {
  const fixedIn =
    hit.fixedIn.length === 0 ? '' : ` · fixed in ${shorten(hit.fixedIn.join(', '), LONGEST_FIXED_IN)}`;
  return `${shorten(`${importanceOf(hit)} · ${hit.title || hit.name}`, LONGEST_LINE)}${fixedIn}`;
}

function pageButtons(upgrade: number, page: number, pages: number): types.KnownBlock[] {
  const go = (label: string, to: number) =>
    button(label, `${UPGRADE_ACTION}page-${to}`, carried({ upgrade, page: to }));
  const buttons = [
    ...(page > 0 ? [go('◂ Previous', page - 1)] : []),
    ...(page < pages - 1 ? [go('Next ▸', page + 1)] : []),
  ];
  return buttons.length === 0 ? [] : [smallPrint(`Page ${page + 1} of ${pages}`), actions(buttons)];
}
