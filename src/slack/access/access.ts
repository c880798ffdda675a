import type { Identity } from '../connection/identity.ts';
import type { Actor } from './actor.ts';
import { DIRECT } from './actor.ts';
import type { Person } from './people.ts';
import type { Remembered } from './remembered.ts';
import type { UserGroups } from './user-groups.ts';

/** Who may use the bot, and where. An empty list restricts nothing. */
export type AccessRules = {
  readonly channels: readonly string[];
  readonly userGroups: readonly string[];
  /** Whether guests of the workspace may use the bot. */
  readonly guests: boolean;
  /** Whether results may be shown in channels that are shared with another company. */
  readonly sharedChannels: boolean;
};

/**
 * Why somebody is refused: a `foreigner` is of another company, a `colleague` of another workspace of the same
 * organisation, an `outsider` of either. `unsure`: it cannot be found out now.
 */
export type Refusal =
  | 'foreigner'
  | 'colleague'
  | 'outsider'
  | 'guest'
  | 'shared'
  | 'channel'
  | 'person'
  | 'unsure';

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
  readonly may: May;
};

/**
 * What somebody does with a delivery: asks for something, which is answered where it may be seen; reads something alone,
 * in a window or a private message; or posts or changes what others in the conversation see.
 */
export type May = 'ask' | 'read' | 'post';

/** Opening the Home tab or a modal shows no result and posts nothing yet. */
const PLACELESS: readonly Actor['entryPoint']['kind'][] = ['home-opened', 'home-click', 'shortcut'];

/**
 * Decides whether this actor may use the bot: gives the reason of a refusal, or undefined. An unknown fact is a reason
 * to refuse.
 */
export function refusalOf(actor: Actor, circumstances: Circumstances): Refusal | undefined {
  const { rules, isMember, isShared, may } = circumstances;
  const whoever = refusalOfPerson(actor.team, circumstances);
  if (whoever !== undefined) return whoever;
  if (!isAllowedDestination(actor, rules)) return 'channel';
  if (may === 'post' && !rules.sharedChannels) {
    if (isShared === undefined) return 'unsure';
    if (isShared === true) return 'shared';
  }
  if (rules.userGroups.length === 0 || isMember === true) return undefined;
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
  const { teams, enterprise } = identity;
  const isOurs = (one: string) => teams.includes(one) || one === enterprise;
  if (typeof person === 'object') {
    if (person.teams.some(isOurs)) return person.isGuest && !rules.guests ? 'guest' : undefined;
    return isOfOrganisation(person, enterprise) ? 'colleague' : 'foreigner';
  }
  const isUnknown = person === undefined;
  if (team === undefined) return isUnknown ? 'unsure' : 'outsider';
  if (!isOurs(team)) return 'outsider';
  return isUnknown && !rules.guests ? 'unsure' : undefined;
}

function isOfOrganisation({ enterprise }: Person, ours: string | undefined): boolean {
  return ours !== undefined && enterprise === ours;
}

/** What the bot has sent to somebody directly can be used there, wherever the bot may be asked. */
function isAllowedDestination({ channels, entryPoint, sentTo }: Actor, rules: AccessRules): boolean {
  if (channels.length === 0) return rules.channels.length === 0 || PLACELESS.includes(entryPoint.kind);
  return channels.every((channel) => channel === sentTo || isAllowedChannel(channel, rules));
}

/** Whether the rules let the bot be used in this conversation. */
export function isAllowedChannel(channel: string, { channels }: AccessRules): boolean {
  return channels.length === 0 || channels.includes(channel);
}

type AccessOptions = {
  readonly rules: AccessRules;
  readonly identity: () => Promise<Identity>;
  readonly userGroups: UserGroups;
  readonly people: Remembered<Person | 'hidden'>;
  readonly sharedChannels: Remembered<boolean | 'hidden'>;
};

/** Decides who may use the bot: for every delivery of Slack, and again when a result is ready. */
export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  get rules(): AccessRules {
    return this.#options.rules;
  }

  /** Decides about a delivery, at its moment: a window can have been opened before a channel became shared. */
  async refusalOf(actor: Actor, may: May): Promise<Refusal | undefined> {
    const { rules, userGroups, people, sharedChannels } = this.#options;
    const [channel] = actor.channels;
    if (actor.isShared !== undefined && channel !== undefined) sharedChannels.set(channel, actor.isShared);
    const [identity, person, isMember, isShared] = await Promise.all([
      this.#options.identity().catch(() => undefined),
      rules.guests && (await this.#isOurs(actor.team)) ? ('hidden' as const) : people.get(actor.user),
      rules.userGroups.length === 0 ? undefined : userGroups.includes(rules.userGroups, actor.user),
      may === 'post' ? this.#isShared(actor.channels) : false,
    ]);
    if (identity === undefined) return 'unsure';
    return refusalOf(actor, { rules, identity, person, isMember, isShared, may });
  }

  /** Whether everybody in this conversation may see a result. False also if that cannot be found out now. */
  async isForAll(channel: string): Promise<boolean> {
    const isShared = await this.#isShared([channel]);
    return this.rules.sharedChannels || isShared === false || isShared === 'hidden';
  }

  /** Whether somebody who was allowed to ask may still see a result there. Throws if that cannot be found out now. */
  async mayStillSee(user: string, channel: string): Promise<boolean> {
    const shownIn = DIRECT.test(channel) ? [] : [channel];
    const { teams } = await this.#options.identity();
    const actor: Actor = {
      entryPoint: { kind: shownIn.length === 0 ? 'home-click' : 'message-click', responseUrl: '' },
      user,
      team: teams[0],
      channels: shownIn,
    };
    const refusal = await this.refusalOf(actor, 'post');
    if (refusal === 'unsure') throw new Error('Slack does not tell the bot now who may see the result');
    return refusal === undefined;
  }

  /** To be called when Slack reports new members of a user group. */
  groupChanged(group: string): void {
    this.#options.userGroups.changed(group);
  }

  async #isOurs(team: string | undefined): Promise<boolean> {
    const identity = await this.#options.identity().catch(() => undefined);
    return team !== undefined && identity?.teams.includes(team) === true;
  }

  async #isShared(channels: readonly string[]): Promise<boolean | 'hidden' | undefined> {
    if (this.rules.sharedChannels) return false;
    const asked = channels.filter((channel) => !DIRECT.test(channel));
    const answers = await Promise.all(asked.map((channel) => this.#options.sharedChannels.get(channel)));
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : answers.includes('hidden') ? 'hidden' : false;
  }
}
