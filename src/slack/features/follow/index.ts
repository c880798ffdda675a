import { randomUUID } from 'node:crypto';
import { hostOf, identityOf } from '../../../core/diagnostics.ts';
import { isPrivately } from '../../../core/lookup.ts';
import { tomorrowAtNine } from '../../../core/time.ts';
import type { Answers, Read } from '../../../lookups/lookup-status.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import { FOLLOW_KINDS, type Follow, type FollowKind } from '../../../lookups/queue.ts';
import { noticeModal, type Origin } from '../../blocks/modal.ts';
import { tellPrivately } from '../../delivery/response-url-poster.ts';
import type { FeatureParts, Followed, Following } from '../../front/context.ts';
import type { DeliveryEvent, Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { faultNotice } from '../../report/notices.ts';
import { knownOf } from './changes.ts';
import { Follows } from './follows.ts';
import { FOLLOW_VIEW, followingText, followModal, KIND_INPUT, LONGEST_DAYS } from './messages.ts';
import { followSteps } from './step.ts';

/** "Follow…": a word when the hits of a snapshot change, a newer one of its device is looked up, or a time has come. */
export function follow(parts: FeatureParts): Feature & { readonly following: Following } {
  const follows = new Follows(parts);
  return {
    following: follows,
    hook: async (event) => {
      await Promise.all([follows.after(event), startWithAnswer(event, follows, parts)]);
    },
    menu: [{ value: 'follow', choose: (press) => askKind(press, follows) }],
    start: () => parts.followQueue.start(followSteps(parts, follows)),
    listen: (on) => {
      on.form(FOLLOW_VIEW, 'post', (press) => ({ work: () => startIn(press, follows) }));
    },
  };
}

/** Shows the form; of a device without an identity no newer snapshot can be told. */
async function askKind(press: Interaction, follows: Follows): Promise<void> {
  const { state, user, context, show } = press;
  const draw = async ({ result }: Answers) => {
    const own = (await follows.of(user)).find((each) => each.snapshotId === state.question.snapshotId);
    const hasIdentity = identityOf(result.device) !== undefined;
    const kinds = FOLLOW_KINDS.filter((kind) => kind !== 'newer' || hasIdentity);
    return followModal(kinds, hostOf(result.device), own?.kind);
  };
  await show(await withAnswers(state, context, draw, noticeModal));
}

/** What is done with the form. */
async function startIn(press: Interaction, follows: Follows): Promise<void> {
  const { state, origin, user, context } = press;
  const { snapshotId } = state.question;
  const notFollowed = (why: string) => `You don’t follow snapshot ${snapshotId}. ${why}`;
  const start = async (answers: Answers) => {
    const full = await follows.refusal(user, snapshotId);
    if (full !== undefined) return notFollowed(full);
    const chosen = press.field(KIND_INPUT);
    const kind = FOLLOW_KINDS.find((each) => each === chosen) ?? 'grave';
    const wanted = { id: randomUUID(), snapshotId, user, kind, origin, read: answers };
    const made = await followOf(wanted, context);
    await follows.start(made);
    return followingText(made);
  };
  await press.tell(await withAnswers(state, context, start, notFollowed, 'cached', faultNotice));
}

/**
 * A result that was asked for with "watch" is followed at its message. The follow has the lookup's id: a repeated delivery
 * goes on with what was begun.
 */
async function startWithAnswer(
  { lookup: { id, watch, askedBy: user, question }, status, shown }: DeliveryEvent,
  follows: Follows,
  parts: FeatureParts,
): Promise<void> {
  if (watch === undefined || status.kind !== 'ready') return;
  const { destination } = shown;
  const { channel, messageTs, threadTs } = destination;
  const origin = {
    channel,
    ...(threadTs && { threadTs }),
    ...(messageTs && !isPrivately(destination) && { messageTs }),
  };
  const { snapshotId } = question;
  const isSame = (each: Followed) => each.snapshotId === snapshotId && each.kind === 'grave';
  if ((await follows.of(user)).some((each) => isSame(each) && each.id !== id)) return;
  const made = await followOf({ id, snapshotId, user, kind: 'grave', origin, read: status }, parts);
  if (!(await follows.start(made))) return;
  await tellPrivately(parts, { channel, user, threadTs }, { text: followingText(made) }).catch(
    (err: unknown) => parts.logger.warn({ err }, 'the confirmation of a follow could not be sent'),
  );
}

type Wanted = {
  readonly id: string;
  readonly snapshotId: Follow['question']['snapshotId'];
  readonly user: string;
  readonly kind: FollowKind;
  readonly origin: Origin;
  readonly read: Read;
};

async function followOf(
  { id, snapshotId, user, kind, origin, read }: Wanted,
  parts: FeatureParts,
): Promise<Follow> {
  const { now, devices } = parts;
  const acceptedAt = now();
  const device = await devices.nameOf(read.result);
  return {
    id,
    acceptedAt,
    user,
    question: { snapshotId, set: 'all' },
    kind,
    at: await dueAt(kind, acceptedAt, { snapshotId, user }, parts),
    origin,
    host: hostOf(read.result.device),
    ...(device !== undefined && { device }),
    known: knownOf(read),
  };
}

async function dueAt(
  kind: FollowKind,
  from: number,
  { snapshotId, user }: Pick<Wanted, 'snapshotId' | 'user'>,
  { client, dayMs }: FeatureParts,
): Promise<number> {
  switch (kind) {
    case 'hour':
      return from + dayMs / 24;
    case 'tomorrow': {
      const answer = await client.users.info({ user }).catch(() => undefined);
      return tomorrowAtNine(from, answer?.user?.tz ?? 'UTC');
    }
    case 'week':
      return from + 7 * dayMs;
    case 'newer':
      return from + LONGEST_DAYS * dayMs;
    default:
      return dueAfter(from, snapshotId, dayMs);
  }
}
