import type { types } from '@slack/bolt';
import type { Answers, Owner } from '../../../lookups/lookup-status.ts';
import type { KnownDevice } from '../../../lookups/people.ts';
import { actions, button, type Message, plain, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { shorten } from '../../blocks/limits.ts';
import { modal } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { HAND_OVER_ACTION, OWN_ACTION } from '../../report/controls.ts';
import { capital, joined, subjectOf } from '../../report/words.ts';

const HAND_OVER_VIEW = 'hand-over';
const NEW_OWNER_FIELD = 'new-owner';
const UNASSIGN_ACTION = 'unassign';
const LONGEST_NAME = 60;

const HOW = 'I mention the new owner once, in the thread of the report.';
const UNSURE =
  'Slack doesn’t say now who reads this conversation, so nothing was handed over. Try again in a minute.';
const NOT_MENTIONED = 'I can’t post in the thread: tell the new owner yourself.';

/**
 * The owner of a device: "I’m on it" on a report, then "Hand over…", which asks before it tells the new owner, and
 * "Unassign". The message that was used is drawn anew; every other one names the owner when it is.
 */
export const owner: Feature = {
  listen: (on) => {
    on.click(OWN_ACTION, { message: 'post' }, (press) => change(press, claim));
    on.click(HAND_OVER_ACTION, { message: 'post' }, (press) => press.show(handOverWindow()));
    on.click(UNASSIGN_ACTION, { window: 'post' }, async (press) => {
      await change(press, unassign);
      await press.tell('Nobody is on it now.');
    });
    on.form(HAND_OVER_VIEW, 'post', (press) => {
      const to = press.field(NEW_OWNER_FIELD);
      return to === ''
        ? { errors: { [NEW_OWNER_FIELD]: 'Choose somebody.' } }
        : { work: () => handOver(press, to) };
    });
  },
};

/** Asks who is on it from now on. Only the form sends a notification. */
function handOverWindow(): types.ModalView {
  const element = { type: 'users_select', placeholder: plain('Choose somebody') } as const;
  return modal({ title: 'Hand over', callbackId: HAND_OVER_VIEW, submit: 'Hand over', close: 'Cancel' }, [
    {
      type: 'input',
      block_id: NEW_OWNER_FIELD,
      label: plain('To'),
      element: { ...element, action_id: NEW_OWNER_FIELD },
    },
    smallPrint(HOW),
    actions([button('Unassign', UNASSIGN_ACTION, undefined, 'Unassign: nobody is on it')]),
  ]);
}

type Changed = { readonly before: Owner | undefined; readonly after: Owner | undefined };

/** Changes the owner, and draws the message anew; again if another person changed it meanwhile. */
async function change(
  press: Interaction,
  make: (press: Interaction, device: KnownDevice) => Promise<Changed>,
): Promise<void> {
  const { context, state } = press;
  const draw = async (answers: Answers) => {
    const { question } = state;
    let { after: shown } = await make(press, await deviceOn(press, answers));
    for (let times = 0; times < MOST_DRAWN; times += 1) {
      const { owner: _before, ...rest } = answers;
      const named = shown === undefined ? rest : { ...rest, owner: shown };
      await press.redraw(named, times);
      const { owner: present } = await context.devices.of(question, answers);
      if (present?.user === shown?.user) return;
      shown = present;
    }
  };
  await withAnswers(state, context, draw, press.tell);
}

/** The device of a message, with that message. */
async function deviceOn({ context, state, origin }: Interaction, answers: Answers): Promise<KnownDevice> {
  const { channel, messageTs: ts } = origin;
  const device = await context.people.deviceIn(state.question, answers, context.now());
  return { ...device, ...(ts !== undefined && { report: { channel, ts } }) };
}

/** A response URL takes five posts. */
const MOST_DRAWN = 3;

async function claim(press: Interaction, device: KnownDevice): Promise<Changed> {
  const { user, context, state } = press;
  const changed = await context.devices.setOwner(
    device,
    (before) => before ?? { user, since: context.now() },
  );
  if (changed.before !== undefined) return changed;
  await context.people.own(user, device);
  press.audit('on it', state, 'said');
  return changed;
}

async function unassign(press: Interaction, device: KnownDevice): Promise<Changed> {
  const { context, state } = press;
  const changed = await context.devices.setOwner(device, () => undefined);
  press.audit('on it', state, 'unassigned');
  return changed;
}

/** Makes another person the owner and mentions that person, or says that the mention could not be posted. */
async function handOver(press: Interaction, to: string): Promise<void> {
  const { user, context, state } = press;
  const refusal = to === user ? undefined : await refusalOf(to, press);
  if (refusal !== undefined) return press.tell(refusal);
  let isTold = to === user;
  await change(press, async (_use, device) => {
    const changed = await context.devices.setOwner(device, () => ({ user: to, since: context.now() }));
    await context.people.own(to, device);
    press.audit('on it', state, `handed to ${to}`);
    const about = joined(
      ' of ',
      subjectOf(state),
      state.others === undefined && shorten(device.host || device.serial, LONGEST_NAME),
    );
    isTold ||=
      changed.before?.user === to || (await press.postInThread(handedOver(to, user, about))) === 'done';
    return changed;
  });
  if (!isTold) await press.tell(NOT_MENTIONED);
}

/** Why a person can't be handed the device: they would not see the message. */
async function refusalOf(to: string, { context, origin }: Interaction): Promise<string | undefined> {
  const { access, logger } = context;
  try {
    const canRead = await access.reads(to, origin.channel);
    return canRead
      ? undefined
      : `<@${to}> can’t read this conversation or may not use this bot, so nothing was handed over.`;
  } catch (error) {
    logger.warn({ err: error }, 'Slack does not say who reads a conversation');
    return UNSURE;
  }
}

/** The reply that tells the new owner. */
function handedOver(to: string, by: string, about: string): Message {
  const said = [words(' is on it now: '), words(capital(about)), words('. Handed over by ')];
  return {
    text: `<@${to}> is on it now: ${capital(about)}. Handed over by <@${by}>.`,
    blocks: [richText([{ type: 'user', user_id: to }, ...said, { type: 'user', user_id: by }, words('.')])],
  };
}
