import type { webApi } from '@slack/bolt';
import { acceptanceOf } from '../../../core/comparing.ts';
import { type Diagnostic, hostOf } from '../../../core/diagnostics.ts';
import { countByLevel, levelOf, sideOf } from '../../../core/importance.ts';
import type { Question } from '../../../core/lookup.ts';
import { upgradeOf } from '../../../core/upgrading.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { viewValue } from '../../blocks/action-values.ts';
import { actions, button, type Message, type RichElement, richText, words } from '../../blocks/blocks.ts';
import { inert, shorten } from '../../blocks/limits.ts';

export const SHOW_REPORT_ACTION = 'preview-show';
export const READ_PRIVATELY_ACTION = 'preview-browse';

type Unfurls = Extract<webApi.ChatUnfurlArguments, { unfurls: unknown }>['unfurls'];

/** What stands under a link. `url` is the link exactly as it was pasted; the text is for those who see no blocks. */
export function unfurlOf(url: string, { text, blocks }: Message): { readonly unfurls: Unfurls } {
  return { unfurls: { [url]: { fallback: text, blocks } } };
}

const MARKS = ['🔴', '🔶', '🟡', '⚪'];
/** A document with more levels is no list that a person reads. */
const MOST_LEVELS = 6;
const LONGEST_NAME = 60;
const LONGEST_STATUS = 300;

/**
 * What a snapshot is about: device, counts and the upgrade. All who read the conversation see it, so it names no hit; of
 * what was accepted, only how many.
 */
export function previewMessage(question: Question, { result, accepted = [] }: Answers): Message {
  const hits = sideOf(result, 'hit');
  const open = hits.filter((hit) => acceptanceOf(hit, accepted) === undefined);
  const host = shorten(hostOf(result.device), LONGEST_NAME);
  const title = host === '' ? titleOf(question) : `${titleOf(question)} of ${host}`;
  const counts = countsOf(open, hits.length - open.length);
  const total = `${counted(hits.length, 'hit')} in ${counted(result.diagnostics.length, 'check')}`;
  const value = viewValue({ question });
  return {
    text: inert(`${title}: ${counts.map(({ said }) => said).join(', ') || total}`),
    blocks: [
      richText(
        [words(title, { bold: true })],
        ...(counts.length > 0 ? [countsLine(counts)] : []),
        [words(total)],
        ...upgradeLine({ ...result, diagnostics: open }),
      ),
      actions([
        button('Show report', SHOW_REPORT_ACTION, value),
        button('Read privately', READ_PRIVATELY_ACTION, value),
      ]),
    ],
  };
}

type Count = { readonly mark: string; readonly said: string; readonly isGrave: boolean };

/** How many hits each level has, and how many are accepted. */
function countsOf(hits: readonly Diagnostic[], accepted: number): Count[] {
  const levels = countByLevel(hits)
    .slice(0, MOST_LEVELS)
    .map(({ level: { rank, word }, count }): Count => {
      const name = shorten(word.toLowerCase(), LONGEST_NAME);
      return { mark: MARKS[rank] ?? '', said: `${count} ${name}`, isGrave: rank < 2 };
    });
  return accepted === 0 ? levels : [...levels, { mark: '', said: `${accepted} accepted`, isGrave: false }];
}

function countsLine(counts: readonly Count[]): RichElement[] {
  return counts
    .flatMap(({ mark, said, isGrave }, at) => [
      words(`${at === 0 ? '' : '  '}${mark === '' ? '' : `${mark}\u00a0`}`),
      words(said, isGrave ? { bold: true } : undefined),
    ])
    .filter((element) => element.type !== 'text' || element.text !== '');
}

/** `→ Upgrade to 17.1.3.4: fixes 11 hits, 1 of 2 critical`, if a release fixes some. */
function upgradeLine(result: Answers['result']): RichElement[][] {
  const upgrade = upgradeOf(result);
  if (upgrade === undefined) return [];
  const isCritical = (hit: Diagnostic) => levelOf(hit).rank === 0;
  const critical = sideOf(result, 'hit').filter(isCritical).length;
  const grave = critical === 0 ? '' : `, ${upgrade.fixed.filter(isCritical).length} of ${critical} critical`;
  const fixes = `: fixes ${counted(upgrade.fixed.length, 'hit')}${grave}`;
  const release = `Upgrade to ${shorten(upgrade.version, LONGEST_NAME)}`;
  return [[words('→ '), words(release, { bold: true }), words(fixes)]];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function titleOf({ snapshotId }: Question): string {
  return `Snapshot ${snapshotId}`;
}

/** What stands there where there is no result. */
export function statusMessage(question: Question, status: string): Message {
  const said = shorten(status, LONGEST_STATUS);
  return {
    text: inert(`${titleOf(question)}: ${said}`),
    blocks: [richText([words(titleOf(question), { bold: true })], [words(said)])],
  };
}

/** Of a snapshot that is being processed, with the service's reason, if it gives one. */
export function processingSentence(reason: string): string {
  const sentence = '⏳ It is still being processed.';
  return reason === '' ? sentence : `${sentence} The service says: ${reason}`;
}

/** In place of that once no result comes: it says nothing that the link does not say. */
export function endedSentence({ snapshotId }: Question): string {
  return `There is no preview: look up ${snapshotId} to see why.`;
}
