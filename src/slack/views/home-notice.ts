import type { types } from '@slack/bolt';
import type { Message } from '../block-kit/blocks.ts';

/** A Home tab that only says something. */
export function homeNotice({ blocks }: Message): types.HomeView {
  return { type: 'home', blocks };
}
