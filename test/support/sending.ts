import { StorageFailed } from '../../src/core/faults.ts';
import type { Destination } from '../../src/core/lookup.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { Poster } from '../../src/slack/delivery/poster.ts';
import type { Urgency } from '../../src/slack/delivery/rate-limited-queue.ts';
import type { ResponseUrlPoster } from '../../src/slack/delivery/response-url-poster.ts';
import { UpdateSender } from '../../src/slack/delivery/update-sender.ts';
import { aLookup } from './a-lookup.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from './scripted-slack.ts';

/** The time at which updates are sent. */
export const NOW = 1_000_000;
/** What each update says. */
const MESSAGE: Message = { text: 'A text', blocks: [] };
/** A response URL that is good for a second more. */
export const RESPONSE = { url: 'https://hooks.slack.test/1', expiresAt: NOW + 1_000, replaces: false };

type Answers = Readonly<Record<string, ScriptedAnswer | ((call: ScriptedCall) => ScriptedAnswer)>>;

/**
 * Sends updates: Slack answers so to the methods that are named, and takes everything else. The bot is UBOT, if that is
 * known.
 */
export function sending(answers: Answers = {}, isUrlSpent = false, isKnown = false) {
  const slack = scriptedSlack((call: ScriptedCall) => {
    const answer = answers[call.method] ?? { channel: 'C9', ts: '2.2', messages: [] };
    return typeof answer === 'function' ? answer(call) : answer;
  });
  const responded: unknown[] = [];
  const store = { isAway: false, goesWithPost: false };
  const responses = {
    post: async (response: typeof RESPONSE & { uses?: number }, ...rest: unknown[]) => {
      responded.push([response, ...rest]);
      store.isAway ||= store.goesWithPost;
      return isUrlSpent ? undefined : { ...response, uses: (response.uses ?? 0) + 1, isInUse: true };
    },
  };
  const sender = new UpdateSender({
    poster: new Poster(slack.client, () => {}),
    responses: responses as unknown as ResponseUrlPoster,
    identity: async () => {
      if (!isKnown) throw new Error('unknown');
      return { user: 'UBOT', teams: [] };
    },
    now: () => NOW,
  });
  const saved: Destination[] = [];
  const manners: unknown[] = [];
  const send = (destination: Destination, urgency: Urgency = 'final', deadline = NOW + 60_000) =>
    sender.send(destination, {
      lookup: { ...aLookup('one'), deadline },
      urgency,
      save: async (where) => {
        if (store.isAway) throw new StorageFailed();
        saved.push(where);
      },
      compose: (manner) => {
        manners.push(manner);
        return MESSAGE;
      },
    });
  return { ...slack, responded, saved, manners, store, send };
}
