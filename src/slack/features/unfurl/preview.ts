import type { types, webApi } from '@slack/bolt';
import type { Question } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { brief, linesOf, messageText, PHONE } from '../../answer/fitting.ts';
import { modelOf } from '../../answer/result-model.ts';
import { summaryOf, upgradeLine } from '../../answer/result-words.ts';
import { countDoubt, importanceOf, titleOf } from '../../answer/wording.ts';
import { viewValue } from '../../blocks/action-values.ts';
import { actions, button, type Message, richText, words } from '../../blocks/blocks.ts';
import { shorten, visible } from '../../blocks/limits.ts';
import type { FeatureParts } from '../../front/context.ts';

export const SHOW_HITS_ACTION = 'preview-show';
export const BROWSE_ACTION = 'preview-browse';
const BUTTONS = [
  ['Show result', SHOW_HITS_ACTION],
  ['Browse privately', BROWSE_ACTION],
] as const;

/** What stands under a link, as a preview or as a Work Object. */
type Unfurl = { readonly unfurls: Unfurls } | { readonly metadata: { readonly entities: Entity[] } };
type Unfurls = Extract<webApi.ChatUnfurlArguments, { unfurls: unknown }>['unfurls'];
/** A snapshot as a Work Object: `url` is the link exactly as it was pasted. */
type Entity = types.EntityMetadata;
type Manner = FeatureParts['unfurl'];

/** A link, and what is known of its snapshot: its result, or a sentence that says how it is with it. */
type Linked = { readonly url: string; readonly question: Question; readonly known: Answers | string };

export function unfurlOf(links: readonly Linked[], manner: Manner): Unfurl {
  if (manner === 'work-object') return { metadata: { entities: links.map(entityOf) } };
  const unfurls = links.map(({ url, question, known }) => {
    const isStatus = typeof known === 'string';
    const { text, blocks } = isStatus
      ? statusMessage(question, known)
      : previewMessage(question, factsOf(question, known));
    // The text is for who sees no blocks.
    return [url, { fallback: text, blocks }];
  });
  return { unfurls: Object.fromEntries(unfurls) };
}

/** Lines of a phone that the text of a preview takes at most; the buttons take one more. */
const MOST_LINES = 6;
/** What stands under a link is set in, by so much of a line. */
const INSET = 1;
const WIDTH = { line: PHONE.line - INSET, bold: PHONE.bold - INSET };

type Facts = ReturnType<typeof factsOf>;

/** What a preview says of a result: all who read the conversation see it, so it names no hit; of what was accepted, only how many. */
export function factsOf(question: Question, { result, readAt, accepted = [] }: Answers) {
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
    blocks: [
      richText(...paragraphs),
      actions(BUTTONS.map(([label, id]) => button(label, id, viewValue({ question })))),
    ],
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

/** How many hits the side panel shows. */
const FIRST_HITS = 3;
const LONGEST_TITLE = 150;
const LONGEST_VALUE = 300;

type Field = readonly [label: string, value: string];

/**
 * A snapshot on a message: any app of the workspace can read what stands there, so it holds the device and the counts and
 * nothing else.
 */
function entityOf({ url, question, known }: Linked): Entity {
  if (typeof known === 'string')
    return entity(url, question, `Snapshot ${question.snapshotId}`, [['Status', known]]);
  const { title, device, counts } = factsOf(question, known);
  const value = viewValue({ question });
  const primary_actions = BUTTONS.map(([text, action_id]) => ({ text, action_id, value }));
  const fields: Field[] = [
    ['Device', device],
    ['Counts', `${counts.bold}${counts.plain}`],
  ];
  return entity(url, question, title, fields, { actions: { primary_actions } });
}

/** What the side panel shows to the one who opened it. */
export function detailsEntity(url: string, question: Question, answers: Answers): Entity {
  const { title, device, counts, doubt, upgrade } = factsOf(question, answers);
  const { shown } = modelOf({ question }, answers);
  return entity(url, question, title, [
    ['Device', device],
    ['Counts', `${counts.bold}${counts.plain}`],
    ['Doubt', doubt],
    ['Upgrade', upgrade],
    ...shown.slice(0, FIRST_HITS).map(({ hit }): Field => [importanceOf(hit), `${hit.title} (${hit.name})`]),
  ]);
}

function entity(
  url: string,
  { snapshotId }: Question,
  title: string,
  fields: readonly Field[],
  more: Pick<Entity['entity_payload'], 'actions'> = {},
): Entity {
  const custom_fields = fields
    .filter(([, value]) => value !== '')
    .map(([label, value], index) => ({
      key: `field-${index}`,
      label: visible(shorten(label, LONGEST_TITLE)),
      value: visible(shorten(value, LONGEST_VALUE)),
      type: 'string',
      long: true,
    }));
  return {
    entity_type: 'slack#/entities/item',
    url,
    app_unfurl_url: url,
    external_ref: { id: snapshotId },
    entity_payload: {
      attributes: {
        title: { text: visible(shorten(title, LONGEST_TITLE)) },
        display_type: 'Snapshot',
        product_name: 'Snapshot',
      },
      custom_fields,
      display_order: custom_fields.map(({ key }) => key),
      ...more,
    },
  };
}
