import { type Message, richText, words } from '../block-kit/blocks.ts';

const TEXT =
  'This channel is shared, or may be shared, with another company, so I’ll answer you in a direct message.';

/** Tells the asker, in a channel that another company shares, why the answer is a direct message. */
export const comesDirectly: Message = { text: TEXT, blocks: [richText([words(TEXT)])] };
