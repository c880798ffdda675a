import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { sideOf } from '../../../core/importance.ts';
import { type Upgrade, type Upgrades, upgradesOf } from '../../../core/upgrading.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { fixesLine, versionText } from '../../answer/result-words.ts';
import { isReady, namedUnits, united } from '../../answer/rows.ts';
import { count, counted, importanceOf, releaseOf, versionOf } from '../../answer/wording.ts';
import { readCarried } from '../../blocks/action-values.ts';
import type { RichElement } from '../../blocks/blocks.ts';
import { actions, button, header, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { shorten } from '../../blocks/limits.ts';
import { modal, noticeModal } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import type { Use } from '../../front/use.ts';

/** Shows another version, or another page of its hits. Followed by a number: an action id is unique in its block. */
const UPGRADE_ACTION = 'upgrade-';
const ACTIONS = new RegExp(`^${UPGRADE_ACTION}`);

/** Which release that runs, which one to upgrade to (the recommended one where none is named), and which page; from 0. */
const position = z.object({
  upgrade: z.int().min(0).optional(),
  page: z.int().min(0),
  release: z.int().min(0).optional(),
});
type Position = z.infer<typeof position>;
const FIRST_POSITION: Position = { page: 0 };

/** "What an upgrade fixes", its versions and its pages. */
export const upgrade: Feature = {
  menu: [{ value: 'upgrade', may: 'read', choose: (use) => showAt(FIRST_POSITION, use) }],
  listen: (on) =>
    on.click(ACTIONS, { window: 'read' }, (use) => showAt(readCarried(position, use.value), use)),
};

async function showAt(at: Position, { state, show, context }: Use): Promise<void> {
  const draw = (answers: Answers) => {
    const releases = releasesIn(answers);
    const first = releases.findIndex(({ upgrades }) => upgrades !== undefined);
    if (first === -1) return noticeModal(NO_FIX);
    const release = Math.min(at.release ?? first, releases.length - 1);
    const running = releases.map(({ label }) => label);
    return upgradeModal(releases[release]?.upgrades, { ...at, release }, running);
  };
  await show(await withAnswers(state, context, draw, noticeModal));
}

/** The releases that run, each with its name, where there are several snapshots, and what upgrades would fix of its hits. */
function releasesIn({ result, units }: Answers) {
  if (units === undefined) return [{ label: '', upgrades: upgradesOf(result) }];
  const ready = namedUnits(units).filter(isReady);
  return [...Map.groupBy(ready, (unit) => releaseOf(unit.result)).values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const diagnostics = united(members.map((member) => sideOf(member.result, 'hit'))).map(({ hit }) => hit);
    const label = [versionOf(first, ready), members.map(({ name }) => name).join(', ')]
      .filter(Boolean)
      .join(': ');
    return [{ label, upgrades: upgradesOf({ ...first.result, diagnostics }) }];
  });
}

const LINES_A_PAGE = 25;
const LONGEST_LINE = 140;
const LONGEST_FIXED_IN = 60;
const LONGEST_RELEASE = 30;
const MOST_UNORDERED = 5;
const CAUTION =
  'This knows only the releases that the hits name. A release may also fix hits that name none, and a fix in one branch says nothing about another.';
const NO_FIX = 'The hits of this analysis name no later version that fixes them.';

/**
 * Every release with its figures, then what the chosen one leaves and fixes, in pages. It opens with the recommended one.
 * `running`: the releases in use, of several snapshots; `all` is what upgrades of the chosen one would fix.
 */
export function upgradeModal(
  all: Upgrades | undefined,
  { upgrade: chosen, page: wanted, release = 0 }: Position,
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
          ...(all.leftOut === 0 ? [] : [richText([words(leftOutOf(all))])]),
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

/** `3 more releases of these branches that fix hits are not listed.` */
function leftOutOf({ leftOut }: Upgrades): string {
  return `${counted(leftOut, 'more release')} of these branches that ${leftOut === 1 ? 'fixes hits is' : 'fix hits are'} not listed.`;
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
  const value = JSON.stringify({ ...FIRST_POSITION, release: index } satisfies Position);
  return button(label, `${UPGRADE_ACTION}release-${index}`, value, `${release} runs now`);
}

function versionButton(upgrade: Upgrade, index: number, chosen: number, release: number): types.Button {
  const label = `${index === chosen ? '● ' : ''}${versionText(upgrade)}`;
  const value = JSON.stringify({ upgrade: index, page: 0, release } satisfies Position);
  const spoken = `${versionText(upgrade)}: what it leaves and fixes`;
  return button(label, `${UPGRADE_ACTION}${index}`, value, spoken);
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

function pageButtons(at: Position, pages: number): types.KnownBlock[] {
  const { page } = at;
  const go = (label: string, to: number) =>
    button(label, `${UPGRADE_ACTION}page-${to}`, JSON.stringify({ ...at, page: to } satisfies Position));
  const buttons = [
    ...(page > 0 ? [go('◂ Previous', page - 1)] : []),
    ...(page < pages - 1 ? [go('Next ▸', page + 1)] : []),
  ];
  return buttons.length === 0 ? [] : [smallPrint(`Page ${page + 1} of ${pages}`), actions(buttons)];
}
