import { type Message, richText, words } from '../block-kit/blocks.ts';

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
  const text = SENTENCES[refusal](contact);
  return { text, blocks: [richText([words(text)])] };
}
