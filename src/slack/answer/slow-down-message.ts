import { type Message, richText, words } from '../block-kit/blocks.ts';

const TEXT =
  'That’s more than Snapshot answers in a minute. Wait a moment, then try again; your earlier requests are still answered.';

/** Tells one person that their share of the bot is used up for now. */
export const slowDown: Message = { text: TEXT, blocks: [richText([words(TEXT)])] };
