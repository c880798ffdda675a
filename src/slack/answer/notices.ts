import { type Message, richText, words } from '../block-kit/blocks.ts';
import type { Operator } from './operator.ts';

/** For whoever uses a button or a modal that is not shown as it was used, or of another version of the bot. */
export const outdated: Message = notice(
  'This button doesn’t work any more: its message has changed, or another version of Snapshot wrote it. Ask again.',
);

/** For a person who waits for an answer that Slack refused. */
export function slackFailedMessage({ contact }: Pick<Operator, 'contact'>): Message {
  return notice(`Slack didn’t accept Snapshot’s answer. Try again. If it keeps happening, tell ${contact}.`);
}

/** A bug in the bot: the person gets the reference under which the log has the rest. */
export function failureMessage(reference: string, { contact }: Pick<Operator, 'contact'>): Message {
  return notice(
    `A bug in Snapshot stopped this. Try again. If it keeps happening, ask ${contact} to look for the reference ` +
      `${reference} in the log.`,
  );
}

function notice(text: string): Message {
  return { text, blocks: [richText([words(text)])] };
}

/**
 * Why somebody is refused: a `foreigner` is of another company, a `colleague` of another workspace of the same
 * organisation, an `outsider` of either. `unsure`: it cannot be found out now.
 */
export type Refusal =
  | 'foreigner'
  | 'colleague'
  | 'outsider'
  | 'guest'
  | 'shared'
  | 'channel'
  | 'person'
  | 'unsure';

const SENTENCES: Record<Refusal, (contact: string) => string> = {
  foreigner: () =>
    'Snapshot answers only members of the company that runs it. Ask your contact there to look the snapshot up.',
  colleague: () =>
    'Snapshot answers only members of the workspace that it is installed in, and you belong to another workspace of ' +
    'your organization. Ask a colleague there to look the snapshot up.',
  outsider: () =>
    'Snapshot answers only members of the workspace that it is installed in. Ask somebody there to look the snapshot up.',
  guest: () => 'Snapshot doesn’t answer guests of this workspace. Ask a full member to look the snapshot up.',
  shared: () =>
    'This channel is shared with another company, so Snapshot shows no results here. Ask for the snapshot with ' +
    '/snapshot: the answer comes to you as a direct message.',
  channel: (contact) => `Snapshot can’t be used in this conversation. Ask ${contact} to allow it here.`,
  person: (contact) =>
    `Snapshot answers only members of certain user groups. Ask ${contact} to add you to one.`,
  unsure: (contact) =>
    'Snapshot can’t check right now whether you may use it. Try again in a minute. ' +
    `If it keeps happening, tell ${contact}.`,
};

/** Says to the one who is refused why, and whom to ask. */
export function refusalMessage(refusal: Refusal, contact: string): Message {
  return notice(SENTENCES[refusal](contact));
}

/** Tells one person that their share of the bot is used up for now. */
export const slowDown: Message = notice(
  'That’s more than Snapshot answers in a minute. Wait a moment, then try again; your earlier requests are still answered.',
);

/** Tells the asker, in a channel that another company shares, why the answer is a direct message. */
export const comesDirectly: Message = notice(
  'This channel is shared, or may be shared, with another company, so I’ll answer you in a direct message.',
);
