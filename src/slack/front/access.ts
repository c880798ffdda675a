import { LRUCache } from 'lru-cache';
import { type Asked, isApp, isDirect } from '../../core/lookup.ts';
import type { Refusal } from '../report/notices.ts';
import type { Actor, DeliveryKind } from './delivery.ts';
import type { Identity } from './slack-app.ts';
import type { Person, SlackFacts } from './slack-facts.ts';

/** The operator's settings for who may use the bot, and where. An empty list allows everybody, except for `apps`. */
export type AccessRules = {
  readonly channels: readonly string[];
  readonly userGroups: readonly string[];
  /** The ids of other apps that may use the bot; an empty list allows none. */
  readonly apps: readonly string[];
  /** Whether guests may use the bot. */
  readonly guests: boolean;
  /** Whether results may be shown in channels shared with another company. */
  readonly sharedChannels: boolean;
};

/**
 * What a delivery needs permission for. `ask`: to look something up. `read`: to read something that nobody else sees,
 * in a window or an ephemeral message. `post`: to post or change what others in the conversation see.
 */
export type Permission = 'ask' | 'read' | 'post';

/** The facts that decide about access. A fact is undefined if Slack does not answer now. */
export type Circumstances = {
  readonly rules: AccessRules;
  readonly identity: Pick<Identity, 'team' | 'enterprise'>;
  readonly person: Person | undefined;
  readonly isMember: boolean | undefined;
  readonly isShared: boolean | undefined;
  readonly permission: Permission;
};

/** Deliveries from outside any conversation, which the list of channels does not restrict. */
const PLACELESS: readonly DeliveryKind[] = ['home-opened', 'home-click', 'shortcut'];

/** Why a sender may not use the bot; undefined if they may. A needed fact that is unknown causes a refusal. */
export function refusalOf(actor: Actor, circumstances: Circumstances): Refusal | undefined {
  const { rules, isMember, isShared, permission } = circumstances;
  const isByApp = isApp(actor.user);
  const unlisted = rules.apps.includes(actor.user) ? undefined : 'outsider';
  const ofUser = isByApp ? unlisted : refusalOfPerson(actor.team, circumstances);
  if (ofUser !== undefined) return ofUser;
  if (!isAllowedDestination(actor, rules)) return 'channel';
  if (permission === 'post' && !rules.sharedChannels && isShared !== false)
    return isShared ? 'shared' : 'unsure';
  if (isByApp || rules.userGroups.length === 0 || isMember === true) return undefined;
  return isMember === undefined ? 'unsure' : 'person';
}

/** Why a person is refused everywhere. If Slack does not answer but guests are allowed, `team` of the delivery decides. */
function refusalOfPerson(
  team: string | undefined,
  { rules, identity, person }: Circumstances,
): Refusal | undefined {
  const isOurs = (one: string) => one === identity.team || one === identity.enterprise;
  if (person === undefined) return rules.guests && team !== undefined && isOurs(team) ? undefined : 'unsure';
  if (person.isApp || !person.teams.some(isOurs)) return 'outsider';
  return person.isGuest && !rules.guests ? 'guest' : undefined;
}

/** Clicks in a direct message are allowed in spite of the list of channels. */
function isAllowedDestination({ channels, kind, usedIn }: Actor, rules: AccessRules): boolean {
  if (channels.length === 0) return rules.channels.length === 0 || PLACELESS.includes(kind);
  return channels.every((each) => (each === usedIn && isDirect(each)) || isAllowedChannel(each, rules));
}

/** Whether the settings allow the bot in this conversation. */
export function isAllowedChannel(channel: string, { channels }: AccessRules): boolean {
  return channels.length === 0 || channels.includes(channel);
}

/** Decides who may use the bot, both when a delivery arrives and when a result is ready. */
export class Access {
  readonly rules: AccessRules;
  readonly #identity: () => Promise<Identity>;
  readonly #facts: SlackFacts;

  constructor(rules: AccessRules, identity: () => Promise<Identity>, facts: SlackFacts) {
    this.rules = rules;
    this.#identity = identity;
    this.#facts = facts;
  }

  /**
   * Decides about a delivery at its arrival, because a channel may have become shared since a window was opened. All
   * questions to Slack are sent together, to be in time for a command. For `ask`, the question whether the channel is
   * shared is only sent here, and `accept` checks the answer later.
   */
  async refusalOf(actor: Actor, asked: Permission): Promise<Refusal | undefined> {
    const { user, team, channels, isShared } = actor;
    // An app needs `post`, because its answer is always posted in the channel.
    const permission = isApp(user) ? 'post' : asked;
    const [channel] = channels;
    if (isShared !== undefined && channel !== undefined) this.#facts.sharedChannels.set(channel, isShared);
    // The bot can't ask Slack about a direct message between people; only the event says that it is shared.
    const sharing = isShared || (permission === 'read' ? false : this.#isAnyShared(channels));
    const [identity, person, isMember] = await Promise.all([
      this.#identity().catch(() => undefined),
      isApp(user) ? undefined : this.#person(user, team),
      isApp(user) || this.#isMember(user),
    ]);
    if (identity === undefined) return 'unsure';
    const known = { rules: this.rules, identity, person, isMember, permission };
    return refusalOf(actor, { ...known, isShared: permission === 'post' && (await sharing) });
  }

  /** Whether everybody in this conversation may see results. False also if this is unknown now. */
  async isForAll(channel: string): Promise<boolean> {
    return (await this.#isAnyShared([channel])) === false;
  }

  /** Whether a person may still see a result in this channel. Throws if this is unknown now. */
  async mayStillSee(user: string, channel: string): Promise<boolean> {
    const { team } = await this.#identity();
    const actor: Actor = isDirect(channel)
      ? { kind: 'home-click', user, team, channels: [] }
      : { kind: 'message-click', user, team, channels: [channel] };
    const refusal = await this.refusalOf(actor, 'post');
    if (refusal === 'unsure') throw new Error('Slack does not tell the bot now who may see the result');
    return refusal === undefined;
  }

  /** Call this when Slack reports that the members of a user group changed. */
  groupChanged(group: string): void {
    this.#facts.groups.forget(group);
  }

  /** Asks Slack about a person. Without the scope for this question, uses the team that the request names. */
  async #person(user: string, team = ''): Promise<Person | undefined> {
    const found = await this.#facts.people.get(user);
    return found === 'hidden' ? { teams: [team], isGuest: false, isApp: false } : found;
  }

  async #isMember(user: string): Promise<boolean | undefined> {
    const groups = await Promise.all(this.rules.userGroups.map((group) => this.#facts.groups.get(group)));
    if (groups.some((members) => members?.has(user))) return true;
    return groups.includes(undefined) ? undefined : false;
  }

  async #isAnyShared(channels: readonly string[]): Promise<boolean | undefined> {
    if (this.rules.sharedChannels) return false;
    const asked = channels.filter((channel) => !isDirect(channel));
    const answers = await Promise.all(asked.map((channel) => this.#facts.sharedChannels.get(channel)));
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : false;
  }
}

const MINUTE_MS = 60_000;
/** How many notices of refusals a person gets in a minute. */
const TOLD_PER_MINUTE = 3;
/** How many people are counted; the least recent are forgotten. */
const MOST_KNOWN = 1_000;

/** The bot refuses a request. */
export class Refused extends Error {
  readonly reason: Refusal | 'too-many';
  constructor(reason: Refused['reason']) {
    super(`refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Limits requests per person. Each process counts for itself, so more replicas allow more requests. `perMinute`: how
 * many requests a person may make in a minute, or all at once.
 */
export function fairShare({ perMinute, now }: { readonly perMinute: number; readonly now: () => number }) {
  const told = buckets(TOLD_PER_MINUTE, now);
  const take = buckets(perMinute, now);
  const pay = (user: string, cost: number) => {
    if (!take(user, cost)) throw new Refused('too-many');
  };
  return {
    /** Counts a request; false if the person has reached the limit. `cost`: a command costs 1. */
    take,
    /** Like `take`, but throws `Refused`. */
    pay,
    /** Counts the further snapshots of a request; the first one was counted with its delivery. Throws `Refused`. */
    payFor: (user: string, { others = [] }: Pick<Asked, 'others'>) => pay(user, others.length),
    /** Whether to tell a person about a refusal; false once the limit of notices is reached. */
    shouldTell: (user: string) => told(user, 1),
  };
}

/** A token bucket for each person; it refills steadily. */
function buckets(perMinute: number, now: () => number): (user: string, cost: number) => boolean {
  const shares = new LRUCache<string, { readonly left: number; readonly at: number }>({ max: MOST_KNOWN });
  return (user, cost) => {
    const time = now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: time };
    const filled = left + (Math.max(0, time - at) * perMinute) / MINUTE_MS;
    const available = Math.min(Math.max(perMinute, 1), filled);
    const isEnough = available >= cost;
    shares.set(user, { left: isEnough ? available - cost : available, at: time });
    return isEnough;
  };
}
