import { randomUUID } from 'node:crypto';
import { hostOf, identityOf } from '../../../core/diagnostics.ts';
import { isPrivately } from '../../../core/lookup.ts';
import { tomorrowAtNine } from '../../../core/time.ts';
import type { Answers, Read } from '../../../lookups/lookup-status.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import { FOLLOW_KINDS, type Follow } from '../../../lookups/queue.ts';
import { noticeModal } from '../../blocks/modal.ts';
import { tellPrivately } from '../../delivery/response-url-poster.ts';
import type { FeatureParts, Following } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { DeliveryEvent, Feature } from '../../front/listeners.ts';
import { withAnswers } from '../../front/windows.ts';
import { Follows } from './follows.ts';
import { FOLLOW_VIEW, followingText, followModal, KIND_INPUT, knownOf, LONGEST_DAYS } from './messages.ts';
import { followSteps } from './step.ts';

/** “Follow…” reports changed hits of a snapshot or a newer snapshot of its device, or reminds at a set time. */
export function follow(parts: FeatureParts): Feature & { readonly following: Following } {
  const follows = new Follows(parts);
  const onCutOff = ({ question }: Follow) => parts.backgroundReads.holdBack(question);
  return {
    following: follows,
    hook: async (event) => {
      await wakeThoseWhoWaited(event, parts);
      await startWithAnswer(event, follows, parts);
    },
    menu: [{ value: 'follow', choose: (press) => askKind(press, follows) }],
    start: () => parts.followQueue.start(followSteps(parts, follows), { onCutOff }),
    listen: (on) => {
      on.form(FOLLOW_VIEW, 'post', (press) => ({ work: () => startIn(press, follows) }));
    },
  };
}

/** Wakes the follows that wait for a newer snapshot of a device, wherever the result is shown. */
async function wakeThoseWhoWaited({ status }: DeliveryEvent, { followQueue }: FeatureParts): Promise<void> {
  if (status.kind !== 'ready') return;
  // A result of several snapshots can wake the follows of several devices.
  const units = status.units?.flatMap((unit) => (unit.kind === 'ready' ? unit : [])) ?? [status];
  for (const id of units.flatMap(({ awaitedBy = [] }) => awaitedBy)) await followQueue.wake(id);
}

/** Shows the form. It offers “newer snapshot” only if the device has an identity by which to recognize it again. */
async function askKind(press: Interaction, follows: Follows): Promise<void> {
  const { state, user, show } = press;
  const draw = async ({ result }: Answers) => {
    const own = (await follows.of(user)).find((each) => each.snapshotId === state.question.snapshotId);
    const hasIdentity = identityOf(result.device) !== undefined;
    const kinds = FOLLOW_KINDS.filter((kind) => kind !== 'newer' || hasIdentity);
    return followModal(kinds, hostOf(result.device), own?.kind);
  };
  await show(await withAnswers(press, state, draw, noticeModal));
}

async function startIn(press: Interaction, follows: Follows): Promise<void> {
  const { state, origin, user, context } = press;
  const { snapshotId } = state.question;
  const question = { snapshotId, set: 'all' } as const;
  const notFollowed = (why: string) => `You don’t follow snapshot ${snapshotId}. ${why}`;
  const start = async (read: Answers) => {
    const full = await follows.refusal(user, snapshotId);
    if (full !== undefined) return notFollowed(full);
    const kind = FOLLOW_KINDS.find((each) => each === press.field(KIND_INPUT)) ?? 'grave';
    const made = await followOf({ id: randomUUID(), question, user, kind, origin }, read, context);
    await follows.start(made);
    return followingText(made);
  };
  await press.tell(await withAnswers(press, state, start, notFollowed));
}

/**
 * Starts a follow when the result of a `watch` command was posted. The follow has the id of the lookup, so a retry
 * continues the same follow.
 */
async function startWithAnswer(
  { lookup: { id, watch, askedBy: user, question }, status, shown: { destination } }: DeliveryEvent,
  follows: Follows,
  parts: FeatureParts,
): Promise<void> {
  if (watch === undefined || status.kind !== 'ready') return;
  const { channel, messageTs, threadTs } = destination;
  const isSeen = messageTs !== undefined && !isPrivately(destination);
  const origin = { channel, ...(threadTs && { threadTs }), ...(isSeen && { messageTs }) };
  const made = await followOf({ id, question, user, kind: 'grave', origin }, status, parts);
  if (!(await follows.start(made))) return;
  await tellPrivately(parts, { channel, user, threadTs }, { text: followingText(made) }).catch(
    (err: unknown) => parts.logger.warn({ err }, 'the confirmation of a follow could not be sent'),
  );
}

type Wanted = Pick<Follow, 'id' | 'user' | 'kind' | 'origin' | 'question'>;

async function followOf(wanted: Wanted, read: Read, parts: FeatureParts): Promise<Follow> {
  const { now, dayMs, devices } = parts;
  const acceptedAt = now();
  const time = await timeOf(wanted, acceptedAt, parts);
  const until = time ?? acceptedAt + LONGEST_DAYS * dayMs;
  const isDaily = wanted.kind === 'grave' || wanted.kind === 'any';
  const device = wanted.kind === 'newer' ? await devices.keyOf(wanted.question, read.result) : undefined;
  return {
    ...wanted,
    acceptedAt,
    // The result was just read, so the first daily reading waits at least a hundredth of a day.
    at: isDaily ? dueAfter(acceptedAt + dayMs / 100, wanted.question.snapshotId, dayMs) : until,
    until,
    host: hostOf(read.result.device),
    ...(device !== undefined && { device }),
    known: knownOf(read),
  };
}

/** The time of a reminder; undefined for every other kind of follow. */
async function timeOf({ kind, user }: Wanted, from: number, { client, dayMs }: FeatureParts) {
  if (kind === 'hour') return from + dayMs / 24;
  if (kind === 'week') return from + 7 * dayMs;
  if (kind !== 'tomorrow') return undefined;
  const answer = await client.users.info({ user }).catch(() => undefined);
  return tomorrowAtNine(from, answer?.user?.tz ?? 'UTC');
}
