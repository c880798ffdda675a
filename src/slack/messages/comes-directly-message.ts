import { type Message, richText, words } from '../block-kit/blocks.ts';

const TEXT =
  'This channel is shared with another company, or Slack does not say right now whether it is. ' +
  'The answer comes to you as a direct message.';

/** Tells whoever asked where others read along why the answer is not in the channel. */
export const comesDirectly: Message = { text: TEXT, blocks: [richText([words(TEXT)])] };
