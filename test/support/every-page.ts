import { expect } from 'vitest';
import type { Answers } from '../../src/lookups/lookup-status.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../../src/slack/answer/page.ts';
import type { Since } from '../../src/slack/answer/since.ts';
import { arranged, viewMessage } from '../../src/slack/answer/view-message.ts';
import { readState, type View, type ViewState } from '../../src/slack/blocks/action-values.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { blockFaults } from '../emulators/slack/blocks/faults.ts';
import { liveMarkup, objectsIn, textsOf } from './message-parts.ts';

const READ_AT = Date.UTC(2026, 10, 20);
const SLACKS_LONGEST_TEXT = 4_000;
const SMALL_PRINT =
  /^(?:[A-Z][a-z]+(?: hits)? [\d,–]+ of [\d,]+ · )?asked by <@U0ANA> · (?:read <!date\^\d+\^|<!date\^\d+\^read \{date_short_pretty\} )\{time\}\|(?:read )?[\d: UTC-]+>$/;

/**
 * Expects a message that Slack takes, whose text is complete without the blocks, and in which no text of a document
 * is markup.
 */
function expectGood({ text, blocks }: Message): void {
  expect(blockFaults(blocks, 'message')).toEqual([]);
  expect(text.trim()).not.toBe('');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SLACKS_LONGEST_TEXT);
  expect(liveMarkup(text)).toEqual([]);
  // Markup is read in these only: nothing of a document may be in them.
  for (const mrkdwn of textsOf(blocks, 'mrkdwn')) expect(mrkdwn).toMatch(SMALL_PRINT);
  expect(objectsIn(blocks).filter(({ type }) => ['user', 'broadcast'].includes(String(type)))).toEqual([]);
  // A link leads where a solution does: to a web address without credentials.
  for (const { url } of objectsIn(blocks).filter(({ type }) => type === 'link')) {
    expect(url).toMatch(/^https?:\/\/[^/@]+(?:\/|$)/);
  }
  expect(textsOf(blocks, 'plain_text').every((label) => label.trim() !== '')).toBe(true);
}

/** Every page that a person comes to who presses Next until there is none; each of them is a good message. */
export function pagesOf(view: View, answers: Answers, since: readonly Since[] = []): Message[] {
  const found: Message[] = [];
  const made = answers.before === undefined ? {} : { beforeMadeAt: READ_AT };
  let state: ViewState | undefined = {
    ...view,
    page: 0,
    askedBy: 'U0ANA',
    madeAt: READ_AT,
    ...made,
    turn: 0,
  };
  while (state !== undefined) {
    const message: Message = viewMessage(state, answers, since);
    expectGood(message);
    const carried = carriedBy(message);
    expect(carried).toEqual(arranged(state, answers).state);
    expect(offered(message, PREVIOUS_ACTION)).toBe(found.length > 0);
    found.push(message);
    state = offered(message, NEXT_ACTION)
      ? { ...carried, page: carried.page + 1, turn: carried.turn + 1 }
      : undefined;
  }
  return found;
}

/** What the controls of a message say that it shows: all that a click on them knows. */
function carriedBy({ blocks }: Message): ViewState {
  return readState(blocks.at(-1)?.block_id);
}

function offered({ blocks }: Message, actionId: string): boolean {
  return objectsIn(blocks).some(({ action_id }) => action_id === actionId);
}
