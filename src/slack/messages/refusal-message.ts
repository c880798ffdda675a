import type { Refusal } from '../access.ts';
import { type Message, richText, words } from '../blocks.ts';

const WHOM_TO_ASK = 'Ask whoever runs this bot, or an admin of this workspace';

const SENTENCES: Record<Exclude<Refusal, 'bot'>, string> = {
  foreigner:
    'Snapshot answers only people of the company that runs it. Ask your contact there to look the snapshot up.',
  channel: `Snapshot may not be used in this conversation. ${WHOM_TO_ASK}, where it may, or to allow it here.`,
  person: `Snapshot answers only the members of certain user groups. ${WHOM_TO_ASK}, to be added to one.`,
  unsure:
    'Snapshot cannot find out right now whether you may use it. Try again in a minute. ' +
    'If it stays like this, tell whoever runs this bot.',
};

/** Says to the one who is refused why, and whom to ask. */
export function refusalMessage(refusal: Exclude<Refusal, 'bot'>): Message {
  const text = SENTENCES[refusal];
  return { text, blocks: [richText([words(text)])] };
}
