import type { types } from '@slack/bolt';
import { HAND_OVER_ACTION, ON_IT_ACTION } from '../../answer/around-message.ts';
import { subjectOf } from '../../answer/wording.ts';
import { actions, button, type Message, plain, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { type MessageModal, modal } from '../../blocks/modal.ts';
import { redrawn, replaceOwned } from '../../delivery/owners.ts';
import type { Feature } from '../../front/feature.ts';
import { type Use, WINDOW_TOO_OLD } from '../../front/use.ts';

const HAND_TO_ACTION = 'hand-over-to';
const TAKE_OVER_ACTION = 'take-over';
const RELEASE_ACTION = 'release';

/** Asks who is on a result from now on, and each choice is carried out at once; `isOwn`: whoever opened it is on it. */
export function handOverModal(isOwn: boolean): types.ModalView {
  const placeholder = plain('Choose somebody');
  return modal({ title: 'Hand over' }, [
    actions([
      { type: 'users_select', action_id: HAND_TO_ACTION, placeholder },
      ...(isOwn ? [] : [button("I'm on it", TAKE_OVER_ACTION)]),
      button('Release', RELEASE_ACTION, undefined, 'Release: nobody is on it'),
    ]),
    smallPrint('It happens as soon as you choose. Whoever gets it is mentioned once, in the thread.'),
  ]);
}

/** Says in a window who is on it now, or that nobody is; mrkdwn. */
function nowOnIt(user: string | undefined): string {
  return user === undefined ? 'Nobody is on it now.' : `<@${user}> is on it now.`;
}

/** Tells somebody in the thread that they are on it now, once. */
export function handedOverMessage(user: string, by: string, about: string): Message {
  const said = ` handed ${about} over to you.`;
  const mention = (user_id: string) => ({ type: 'user', user_id }) as const;
  return {
    text: `<@${user}>: <@${by}>${said}`,
    blocks: [richText([mention(user), words(': '), mention(by), words(said)])],
  };
}

/** Says in a window why nothing was handed over; mrkdwn. */
function notHandedTo(user: string): string {
  return `<@${user}> can’t read this conversation or may not use this bot, so nothing was handed over.`;
}

const UNSURE =
  'Slack doesn’t say now who reads this conversation, so nothing was handed over. Try again in a minute.';
const NOT_MENTIONED = 'I can’t post in the thread: tell them yourself that they are on it.';

/**
 * "I'm on it" on a result, for anyone, and then "Hand over…". Both edit the message and nothing but its line, so that
 * the service is not asked; only who is handed the work is mentioned.
 */
export const onIt: Feature = {
  listen: (on, context) => {
    on.click(ON_IT_ACTION, { message: 'post' }, claim);
    on.click(HAND_OVER_ACTION, { message: 'post' }, async (use) => {
      const { channel, messageTs: ts } = use.origin;
      if (ts === undefined) return;
      const message = { channel, ts };
      await context.owners.keep(message, shownIn(use));
      const owner = await context.owners.of(message);
      await use.show(handOverModal(owner?.user === use.user));
    });
    for (const [id, ownerAfter] of CHOICES) {
      on.click(id, { window: 'post' }, async (use) => use.tell(await handOver(use, ownerAfter(use))));
    }
  },
};

/** Who is on it after each choice in the window. */
const CHOICES: readonly (readonly [string, (use: Use) => string | undefined])[] = [
  [HAND_TO_ACTION, ({ value }) => value || undefined],
  [TAKE_OVER_ACTION, ({ user }) => user],
  [RELEASE_ACTION, () => undefined],
];

async function claim(use: Use): Promise<void> {
  const { user, context } = use;
  const { channel, messageTs: ts } = use.origin;
  // A private message is seen by nobody else.
  if (ts === undefined) return;
  const before = await context.owners.claim({ channel, ts }, { user, since: context.now() });
  if (before === undefined) use.audit('on it', use.state, 'said');
  await redrawIn(use, shownIn(use));
}

function redrawIn(use: Use, message: Message): Promise<void> {
  const redraw = (times: number) => redrawn(message, times);
  return replaceOwned(use.origin, use.context, redraw, (drawn) => use.replace(drawn));
}

/** Puts somebody else on it, or nobody, and mentions who did not do that; gives what to say of it. */
async function handOver(use: Use, to: string | undefined): Promise<string> {
  const { user, context } = use;
  const { channel, messageTs: ts = '' } = use.origin;
  const message = await context.owners.kept({ channel, ts });
  if (message === undefined) return WINDOW_TOO_OLD;
  const refusal = to === undefined || to === user ? undefined : await refusalOf(to, use);
  if (refusal !== undefined) return refusal;
  const owner = to === undefined ? undefined : { user: to, since: context.now() };
  const before = await context.owners.replace({ channel, ts }, owner);
  use.audit('on it', use.state, to === undefined ? 'taken back' : `handed to ${to}`);
  await redrawIn(use, message);
  const isTold = to === undefined || to === user || to === before?.user || (await mention(to, use));
  return isTold ? nowOnIt(to) : NOT_MENTIONED;
}

/** Why somebody can't be handed what is shown there: it would be handed to somebody who never learns of it. */
async function refusalOf(to: string, { context, origin }: Use): Promise<string | undefined> {
  const { access, logger } = context;
  try {
    return (await access.reads(to, origin.channel)) ? undefined : notHandedTo(to);
  } catch (error) {
    logger.warn({ err: error }, 'Slack does not say who reads a conversation');
    return UNSURE;
  }
}

async function mention(to: string, use: Use): Promise<boolean> {
  return (await use.postInThread(handedOverMessage(to, use.user, aboutOf(use.opened)))) === 'done';
}

function aboutOf({ state, host }: MessageModal): string {
  return [subjectOf(state), host].filter((part) => part !== '').join(' · ');
}

function shownIn({ body: { message } }: Use): Message {
  return { text: message?.text ?? '', blocks: message?.blocks ?? [] };
}
