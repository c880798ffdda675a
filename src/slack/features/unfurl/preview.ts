import type { types } from '@slack/bolt';
import type { Question } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { brief, linesOf, messageText, PHONE } from '../../answer/fitting.ts';
import { modelOf } from '../../answer/result-model.ts';
import { summaryOf, upgradeLine } from '../../answer/result-words.ts';
import { countDoubt, titleOf } from '../../answer/wording.ts';
import { viewValue } from '../../block-kit/action-values.ts';
import { actions, button, type Message, richText, words } from '../../block-kit/blocks.ts';

export const SHOW_HITS_ACTION = 'preview-show';
export const BROWSE_ACTION = 'preview-browse';

/** Lines of a phone that the text of a preview takes at most; the buttons take one more. */
const MOST_LINES = 6;
/** What stands under a link is set in, by so much of a line. */
const INSET = 1;
const WIDTH = { line: PHONE.line - INSET, bold: PHONE.bold - INSET };

/** What a preview says of a result: all who read the conversation see it, so it names no hit. */
export type Facts = {
  readonly title: string;
  readonly device: string;
  readonly software: string;
  /** How many hits there are, and of which importance. */
  readonly counts: { readonly bold: string; readonly plain: string };
  readonly doubt: string;
  readonly upgrade: string;
};

/** The facts of the first page of the result; of what was accepted, only how many. */
export function factsOf(question: Question, { result, readAt, accepted = [] }: Answers): Facts {
  const model = modelOf({ question }, { result, readAt, accepted });
  const { product, version } = result.software;
  const software = `${product} ${version}`.trim();
  const known = [result.device.platform, result.device.chassisSerial, software];
  return {
    title: titleOf({ question }, result),
    device: known.filter((part) => part.trim() !== '').join(' · '),
    software,
    counts: summaryOf({ ...model, counts: { ...model.counts, withCves: 0 } }),
    doubt: countDoubt(model.counts.checks),
    upgrade: upgradeLine(model).text,
  };
}

/** What a snapshot is about, in at most seven lines of a phone, under the link that leads to it. */
export function previewMessage(question: Question, facts: Facts): Message {
  const { bold, plain } = facts.counts;
  const within = fitting(MOST_LINES);
  // In the order of their importance. A long name of a host leaves room for the others.
  const title = within(1, [facts.title, facts.title.replace('Snapshot ', '')], WIDTH.bold);
  const counts = within(2, [`${bold}${plain}`]);
  const doubt = within(2, [facts.doubt]);
  const device = within(1, [facts.device, facts.software]);
  const upgrade = within(2, [facts.upgrade]);
  const rest = counts.slice(bold.length);
  const paragraphs = [
    [words(title, { bold: true })],
    ...(device === '' ? [] : [[words(device)]]),
    [words(counts.slice(0, bold.length), { bold: true }), ...(rest === '' ? [] : [words(rest)])],
    ...[doubt, upgrade].filter((line) => line !== '').map((line) => [words(line)]),
  ];
  return {
    text: messageText([facts.title, device, counts, doubt, upgrade], []),
    blocks: [richText(...paragraphs), actions(buttons(question))],
  };
}

/** Gives the first text that fits into `most` lines, else the start of the last one, until all lines are taken. */
function fitting(lines: number): (most: number, texts: readonly string[], width?: number) => string {
  let left = lines;
  return (most, texts, width = WIDTH.line) => {
    const room = Math.min(most, left);
    const fits = texts.find((text) => linesOf(text, width) <= room);
    const shown = room === 0 ? '' : (fits ?? brief(texts.at(-1) ?? '', room, width));
    left -= linesOf(shown, width);
    return shown;
  };
}

function buttons(question: Question): types.Button[] {
  const value = viewValue({ question });
  return [button('Show result', SHOW_HITS_ACTION, value), button('Browse privately', BROWSE_ACTION, value)];
}

/** What stands there where there is no result: how it is with the snapshot. */
export function statusMessage({ snapshotId }: Question, status: string): Message {
  const title = `Snapshot ${snapshotId}`;
  return {
    text: messageText([title, status], []),
    blocks: [richText([words(title, { bold: true })], [words(brief(status, MOST_LINES - 1, WIDTH.line))])],
  };
}

/** Of a snapshot that is being processed, with the service's reason, if it gives one. */
export function processingSentence(reason: string): string {
  const sentence = '⌛ It is still being processed.';
  return reason === '' ? sentence : `${sentence} The service says: ${reason}`;
}

/** In place of that once nothing more comes, for whatever reason: it says nothing that the link does not say. */
export function endedSentence({ snapshotId }: Question): string {
  return `There is no preview: look up ${snapshotId} to see why.`;
}
