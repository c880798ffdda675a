import { isApp, isDirect } from '../../core/lookup.ts';
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

/**
 * The other facts that the decision needs: undefined if a fact cannot be found out now, 'hidden' if Slack does not let
 * the bot know it.
 */
export type Circumstances = {
  readonly rules: AccessRules;
  readonly identity: Pick<Identity, 'teams' | 'enterprise'>;
  readonly person: Person | 'hidden' | undefined;
  readonly isMember: boolean | undefined;
  readonly isShared: boolean | 'hidden' | undefined;
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
  if (permission === 'post' && !rules.sharedChannels) {
    if (isShared === undefined) return 'unsure';
    if (isShared === true) return 'shared';
  }
  if (isByApp || rules.userGroups.length === 0 || isMember === true) return undefined;
  return isMember === undefined ? 'unsure' : 'person';
}

/**
 * Why this person is refused in any conversation. What Slack says of the person counts for more than the `team` that came
 * with the request, which Slack leaves out where there are files.
 */
function refusalOfPerson(
  team: string | undefined,
  { rules, identity, person }: Circumstances,
): Refusal | undefined {
  const isOurs = (one: string) => identity.teams.includes(one) || one === identity.enterprise;
  if (typeof person === 'object') {
    if (person.isApp || !person.teams.some(isOurs)) return 'outsider';
    return person.isGuest && !rules.guests ? 'guest' : undefined;
  }
  const unknown = person === undefined ? 'unsure' : undefined;
  if (team === undefined) return unknown ?? 'outsider';
  if (!isOurs(team)) return 'outsider';
  return rules.guests ? undefined : unknown;
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
   * Decides about a delivery, at its moment: a window can have been opened before a channel became shared. Slack is asked
   * everything at once: one question after the other could take longer than a command may. What is asked for is shown where
   * everybody may see it, for which `isForAll` waits.
   */
  async refusalOf(actor: Actor, asked: Permission): Promise<Refusal | undefined> {
    const { user, channels, isShared } = actor;
    const isByApp = isApp(user);
    // What an app asks for is answered in its channel or not at all.
    const permission = isByApp ? 'post' : asked;
    if (isShared !== undefined && channels[0] !== undefined)
      this.#facts.sharedChannels.set(channels[0], isShared);
    const sharing = permission === 'read' ? false : this.#isAnyShared(channels);
    const [identity, person, isMember] = await Promise.all([
      this.#identity().catch(() => undefined),
      isByApp ? ('hidden' as const) : this.#facts.people.get(user),
      isByApp || this.#isMember(user),
    ]);
    if (identity === undefined) return 'unsure';
    const known = { rules: this.rules, identity, person, isMember, permission };
    return refusalOf(actor, { ...known, isShared: permission === 'post' && (await sharing) });
  }

  /** Whether it is an app that is not allowed: what that says is not for the bot. */
  isUnheard({ user }: Actor): boolean {
    return isApp(user) && !this.rules.apps.includes(user);
  }

  /** Whether everybody in this conversation may see a result. False also if that cannot be found out now. */
  async isForAll(channel: string): Promise<boolean> {
    const isShared = await this.#isAnyShared([channel]);
    return isShared === false || isShared === 'hidden';
  }

  /** Whether a person who was allowed to ask may still see a result there. Throws if that cannot be found out now. */
  async mayStillSee(user: string, channel: string): Promise<boolean> {
    return this.#sees(user, channel, (await this.#identity()).teams[0]);
  }

  /**
   * Whether a person who perhaps never asked may see a result there, and reads what is posted there, as far as Slack lets
   * the bot know that. Throws as `mayStillSee`, and what Slack’s client throws.
   */
  async reads(user: string, channel: string): Promise<boolean> {
    const isHidden = (await this.#facts.people.get(user)) === 'hidden';
    const maySee = isHidden ? this.mayStillSee(user, channel) : this.#sees(user, channel, undefined);
    if (!(await maySee)) return false;
    const found = await this.#facts.members(channel);
    return found === 'hidden' || found.has(user);
  }

  /** To be called when Slack reports new members of a user group. */
  groupChanged(group: string): void {
    this.#facts.groups.forget(group);
  }

  async #sees(user: string, channel: string, team: string | undefined): Promise<boolean> {
    const actor: Actor = isDirect(channel)
      ? { kind: 'home-click', user, team, channels: [] }
      : { kind: 'message-click', user, team, channels: [channel] };
    const refusal = await this.refusalOf(actor, 'post');
    if (refusal === 'unsure') throw new Error('Slack does not tell the bot now who may see the result');
    return refusal === undefined;
  }

  async #isMember(user: string): Promise<boolean | undefined> {
    const groups = await Promise.all(this.rules.userGroups.map((group) => this.#facts.groups.get(group)));
    if (groups.some((members) => members?.has(user))) return true;
    return groups.includes(undefined) ? undefined : false;
  }

  async #isAnyShared(channels: readonly string[]): Promise<Circumstances['isShared']> {
    if (this.rules.sharedChannels) return false;
    const asked = channels.filter((channel) => !isDirect(channel));
    const answers = await Promise.all(asked.map((channel) => this.#facts.sharedChannels.get(channel)));
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : answers.includes('hidden') && 'hidden';
  }
}
