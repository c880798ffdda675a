import { type Asked, isApp, isDirect } from '../../core/lookup.ts';
import { Remembered } from '../../core/remembered.ts';
import type { Refusal } from '../report/notices.ts';
import type { Actor, DeliveryKind } from './delivery.ts';
import type { Identity } from './slack-app.ts';
import type { Person, SlackFacts } from './slack-facts.ts';

/** Who may use the bot, and where. An empty list restricts nothing. */
export type AccessRules = {
  readonly channels: readonly string[];
  readonly userGroups: readonly string[];
  /** The other apps that are answered; an empty list allows none. */
  readonly apps: readonly string[];
  /** Whether guests of the workspace may use the bot. */
  readonly guests: boolean;
  /** Whether results may be shown in channels that are shared with another company. */
  readonly sharedChannels: boolean;
};

/**
 * What a delivery needs: to ask for something, which is answered where it may be seen; to read something alone,
 * in a window or a private message; to post or change what others in the conversation see.
 */
export type Permission = 'ask' | 'read' | 'post';

/** The other facts that the decision needs, undefined if one cannot be found out now. */
export type Circumstances = {
  readonly rules: AccessRules;
  readonly identity: Pick<Identity, 'team' | 'enterprise'>;
  readonly person: Person | undefined;
  readonly isMember: boolean | undefined;
  readonly isShared: boolean | undefined;
  readonly permission: Permission;
};

/** Opening the Home tab or a modal shows no result and posts nothing yet. */
const PLACELESS: readonly DeliveryKind[] = ['home-opened', 'home-click', 'shortcut'];

/**
 * Decides whether this actor may use the bot: gives the reason of a refusal, or undefined. An unknown fact is a reason
 * to refuse.
 */
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

/** Why this person is refused in any conversation. Slack leaves out the `team` of a request where there are files. */
function refusalOfPerson(
  team: string | undefined,
  { rules, identity, person }: Circumstances,
): Refusal | undefined {
  const isOurs = (one: string) => one === identity.team || one === identity.enterprise;
  if (person === undefined) return rules.guests && team !== undefined && isOurs(team) ? undefined : 'unsure';
  if (person.isApp || !person.teams.some(isOurs)) return 'outsider';
  return person.isGuest && !rules.guests ? 'guest' : undefined;
}

/** A direct message of the bot can be used there, whatever channels are allowed. */
function isAllowedDestination({ channels, kind, usedIn }: Actor, rules: AccessRules): boolean {
  if (channels.length === 0) return rules.channels.length === 0 || PLACELESS.includes(kind);
  return channels.every((each) => (each === usedIn && isDirect(each)) || isAllowedChannel(each, rules));
}

/** Whether the rules let the bot be used in this conversation. */
export function isAllowedChannel(channel: string, { channels }: AccessRules): boolean {
  return channels.length === 0 || channels.includes(channel);
}

/** Decides who may use the bot: for every delivery of Slack, and again when a result is ready. */
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
   * Decides about a delivery when it comes: a window can have been opened before a channel became shared. Slack is asked
   * everything at once: one question after the other could take longer than a command may. For `ask`, `accept` later
   * decides by `isForAll` where the answer is shown, so sharing is only begun to be read here.
   */
  async refusalOf(actor: Actor, asked: Permission): Promise<Refusal | undefined> {
    const { user, team, channels, isShared } = actor;
    // What an app asks for is answered in its channel or not at all.
    const permission = isApp(user) ? 'post' : asked;
    const [channel] = channels;
    if (isShared !== undefined && channel !== undefined) this.#facts.sharedChannels.set(channel, isShared);
    const sharing = permission === 'read' ? false : this.#isAnyShared(channels);
    const [identity, person, isMember] = await Promise.all([
      this.#identity().catch(() => undefined),
      isApp(user) ? undefined : this.#person(user, team),
      isApp(user) || this.#isMember(user),
    ]);
    if (identity === undefined) return 'unsure';
    const known = { rules: this.rules, identity, person, isMember, permission };
    return refusalOf(actor, { ...known, isShared: permission === 'post' && (await sharing) });
  }

  /** Whether everybody in this conversation may see a result. False also if that cannot be found out now. */
  async isForAll(channel: string): Promise<boolean> {
    return (await this.#isAnyShared([channel])) === false;
  }

  /** Whether a person of the workspace may see a result there. Throws if that cannot be found out now. */
  async mayStillSee(user: string, channel: string): Promise<boolean> {
    const { team } = await this.#identity();
    const actor: Actor = isDirect(channel)
      ? { kind: 'home-click', user, team, channels: [] }
      : { kind: 'message-click', user, team, channels: [channel] };
    const refusal = await this.refusalOf(actor, 'post');
    if (refusal === 'unsure') throw new Error('Slack does not tell the bot now who may see the result');
    return refusal === undefined;
  }

  /** To be called when Slack reports new members of a user group. */
  groupChanged(group: string): void {
    this.#facts.groups.forget(group);
  }

  /** What Slack says of a person; without that scope, what came with the request. */
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
/** How many refusals a person gets in a minute; further ones are silent. */
const TOLD_PER_MINUTE = 3;
/** The most people that are counted at once. */
const MOST_KNOWN = 10_000;

/** What a person asks for is refused. */
export class Refused extends Error {
  readonly reason: Refusal | 'too-many';
  constructor(reason: Refused['reason']) {
    super(`refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Limits requests per person, counted in this process alone, so the limit grows with the number of replicas. `perMinute`:
 * the most requests of one person in a minute, also all at once.
 */
export function fairShare({ perMinute, now }: { readonly perMinute: number; readonly now: () => number }) {
  const told = buckets(TOLD_PER_MINUTE, now);
  const take = buckets(perMinute, now);
  const pay = (user: string, cost: number) => {
    if (!take(user, cost)) throw new Refused('too-many');
  };
  return {
    /** Counts a request; false if the person's share is used up. `cost`: 1 is a command. */
    take,
    /** `take` that throws `Refused` instead. */
    pay,
    /** Counts each further snapshot of a request, whose delivery has paid for one. Throws `Refused`. */
    payFor: (user: string, { others = [] }: Pick<Asked, 'others'>) => pay(user, others.length),
    /** Whether to tell a person once more that they are refused. */
    shouldTell: (user: string) => told(user, 1),
  };
}

/** Token buckets that fill evenly, one for each person. */
function buckets(perMinute: number, now: () => number): (user: string, cost: number) => boolean {
  const shares = new Remembered<{ readonly left: number; readonly at: number }>(MOST_KNOWN);
  return (user, cost) => {
    const time = now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: time };
    const filled = left + (Math.max(0, time - at) * perMinute) / MINUTE_MS;
    const available = Math.min(Math.max(perMinute, 1), filled);
    const isEnough = available >= cost;
    shares.set(user, { left: isEnough ? available - cost : available, at: time }, 0);
    return isEnough;
  };
}
