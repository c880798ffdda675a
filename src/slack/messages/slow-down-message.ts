import { type Message, richText, words } from '../block-kit/blocks.ts';

const TEXT =
  'You asked Snapshot for a lot within the last minute. Wait a moment, then go on; what was accepted before is answered.';

/** Tells one person that their share of the bot is used up for now. */
export const slowDown: Message = { text: TEXT, blocks: [richText([words(TEXT)])] };
