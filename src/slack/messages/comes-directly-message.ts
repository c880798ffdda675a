import { type Message, richText, words } from '../block-kit/blocks.ts';

const TEXT =
  'This channel is shared with another company, or may be, so I’ll answer you in a direct message.';

/** Tells whoever asked where others read along why the answer is not in the channel. */
export const comesDirectly: Message = { text: TEXT, blocks: [richText([words(TEXT)])] };
