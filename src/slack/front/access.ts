import { isDirect } from '../../core/lookup.ts';
import type { Refusal } from '../answer/notices.ts';
import type { Actor } from './delivery.ts';
import type { Identity } from './slack-app.ts';
import type { Person, SlackFacts } from './slack-facts.ts';

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
 * The other facts that the decision needs: undefined if a fact cannot be found out now, 'hidden' if Slack does not let
 * the bot know it.
 */
export type Circumstances = {
  readonly rules: AccessRules;
  readonly identity: Pick<Identity, 'teams' | 'enterprise'>;
  readonly person: Person | 'hidden' | undefined;
  readonly isMember: boolean | undefined;
  readonly isShared: boolean | 'hidden' | undefined;
  /** Whether the person is in the private conversation that a window, opened there earlier, changes. */
  readonly isPresent: boolean | 'hidden' | undefined;
  readonly may: May;
};

/**
 * What somebody does with a delivery: asks for something, which is answered where it may be seen; reads something alone,
 * in a window or a private message; or posts or changes what others in the conversation see.
 */
export type May = 'ask' | 'read' | 'post';

/** Slack waits for the answer to these: for a command's acknowledgement, for the window of a shortcut. */
const PROMPT: readonly Actor['entryPoint']['kind'][] = ['command', 'shortcut'];
/** How long others wait for what Slack says: for as long as the bot's client does. Milliseconds. */
const PATIENT_MS = 10_000;

/** Opening the Home tab or a modal shows no result and posts nothing yet. */
const PLACELESS: readonly Actor['entryPoint']['kind'][] = ['home-opened', 'home-click', 'shortcut'];

/**
 * Decides whether this actor may use the bot: gives the reason of a refusal, or undefined. An unknown fact is a reason
 * to refuse.
 */
export function refusalOf(actor: Actor, circumstances: Circumstances): Refusal | undefined {
  const { rules, isMember, isShared, isPresent, may } = circumstances;
  const whoever = refusalOfPerson(actor.team, circumstances);
  if (whoever !== undefined) return whoever;
  if (!isAllowedDestination(actor, rules)) return 'channel';
  if (may === 'post' && !rules.sharedChannels) {
    if (isShared === undefined) return 'unsure';
    if (isShared === true) return 'shared';
  }
  if (isPresent !== true && isPresent !== 'hidden') return isPresent === undefined ? 'unsure' : 'absent';
  if (rules.userGroups.length === 0 || isMember === true) return undefined;
  return isMember === undefined ? 'unsure' : 'person';
}

/**
 * Why this person is refused in any conversation. What Slack says of the person counts for more than the `team` that came
 * with the request, which Slack leaves out where there are files.
 */
function refusalOfPerson(team: string | undefined, circumstances: Circumstances): Refusal | undefined {
  const { rules, identity, person } = circumstances;
  const { teams, enterprise } = identity;
  const isOurs = (one: string) => teams.includes(one) || one === enterprise;
  if (typeof person === 'object') return refusalOfKnown(person, isOurs, circumstances);
  const isUnknown = person === undefined;
  if (team === undefined) return isUnknown ? 'unsure' : 'outsider';
  if (!isOurs(team)) return 'outsider';
  return isUnknown && !rules.guests ? 'unsure' : undefined;
}

function refusalOfKnown(
  person: Person,
  isOurs: (team: string) => boolean,
  { rules, identity: { enterprise } }: Circumstances,
): Refusal | undefined {
  if (person.isApp) return 'outsider';
  if (person.teams.some(isOurs)) return person.isGuest && !rules.guests ? 'guest' : undefined;
  return isOfOrganisation(person, enterprise) ? 'colleague' : 'foreigner';
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

function patienceFor({ entryPoint: { kind } }: Actor): number | undefined {
  return PROMPT.includes(kind) ? undefined : PATIENT_MS;
}

async function isMember(
  user: string,
  { userGroups }: AccessRules,
  groups: SlackFacts['groups'],
  withinMs?: number,
): Promise<boolean | undefined> {
  const found = await Promise.all(
    userGroups.map(async (group) => (await groups.get(group, withinMs))?.has(user)),
  );
  return found.includes(true) || (found.includes(undefined) ? undefined : false);
}

/** Decides who may use the bot: for every delivery of Slack, and again when a result is ready. */
export function accessBy(rules: AccessRules, identity: () => Promise<Identity>, facts: SlackFacts) {
  const { people, sharedChannels, groups } = facts;

  const { isSharedAny, isPresent } = placesBy(rules, facts);

  /** Decides about a delivery, at its moment: a window can have been opened before a channel became shared. */
  const refusalNow = async (actor: Actor, may: May): Promise<Refusal | undefined> => {
    const [channel] = actor.channels;
    if (actor.isShared !== undefined && channel !== undefined) sharedChannels.set(channel, actor.isShared);
    // What is asked for is shown where everybody may see it. Slack is asked now, beside the other questions: one after
    // the other could take longer than the three seconds in which it wants a command acknowledged.
    if (may === 'ask') void isSharedAny(actor.channels);
    const withinMs = patienceFor(actor);
    const bot = identity().catch(() => undefined);
    const isOurs = async () => actor.team !== undefined && (await bot)?.teams.includes(actor.team) === true;
    const [itself, person, isIn, isShared, isThere] = await Promise.all([
      bot,
      rules.guests && (await isOurs()) ? ('hidden' as const) : people.get(actor.user, withinMs),
      rules.userGroups.length === 0 ? undefined : isMember(actor.user, rules, groups, withinMs),
      may === 'post' ? (actor.isShared ?? isSharedAny(actor.channels, withinMs)) : false,
      isPresent(actor, may),
    ]);
    if (itself === undefined) return 'unsure';
    const known = { rules, person, isMember: isIn, isShared, isPresent: isThere, may };
    return refusalOf(actor, { ...known, identity: itself });
  };

  const { mayStillSee, reads } = laterBy(refusalNow, identity, facts);

  return {
    rules,
    refusalOf: refusalNow,
    /** Whether everybody in this conversation may see a result. False also if that cannot be found out now. */
    isForAll: async (channel: string): Promise<boolean> => {
      const isShared = await isSharedAny([channel]);
      return rules.sharedChannels || isShared === false || isShared === 'hidden';
    },
    mayStillSee,
    reads,
    /** To be called when Slack reports new members of a user group. */
    groupChanged: groups.forget,
  };
}

/** What has to be known of the conversations of a delivery; 'hidden' and undefined as in `Circumstances`. */
function placesBy(rules: AccessRules, { sharedChannels, privateChannels, members }: SlackFacts) {
  const isSharedAny = async (
    channels: readonly string[],
    withinMs?: number,
  ): Promise<boolean | 'hidden' | undefined> => {
    if (rules.sharedChannels) return false;
    const asked = channels.filter((channel) => !isDirect(channel));
    const answers = await Promise.all(asked.map((channel) => sharedChannels.get(channel, withinMs)));
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : answers.includes('hidden') ? 'hidden' : false;
  };

  /** Whether whoever uses a window is still in the private conversation that it changes. */
  const isPresent = async ({ user, openedIn }: Actor, may: May): Promise<boolean | 'hidden' | undefined> => {
    if (may === 'read' || openedIn === undefined || isDirect(openedIn)) return 'hidden';
    const isPrivate = await privateChannels.get(openedIn, PATIENT_MS);
    if (isPrivate !== true) return isPrivate === undefined ? undefined : 'hidden';
    const found = await members(openedIn).catch(() => undefined);
    return found === 'hidden' ? found : found?.has(user);
  };
  return { isSharedAny, isPresent };
}

/** The decisions about people who do nothing now. */
function laterBy(
  refusalNow: (actor: Actor, may: May) => Promise<Refusal | undefined>,
  identity: () => Promise<Identity>,
  { people, members }: SlackFacts,
) {
  const sees = async (user: string, channel: string, team: string | undefined): Promise<boolean> => {
    const shownIn = isDirect(channel) ? [] : [channel];
    const kind = shownIn.length === 0 ? 'home-click' : 'message-click';
    const actor: Actor = { entryPoint: { kind, responseUrl: '' }, user, team, channels: shownIn };
    const refusal = await refusalNow(actor, 'post');
    if (refusal === 'unsure') throw new Error('Slack does not tell the bot now who may see the result');
    return refusal === undefined;
  };
  /** Whether somebody who was allowed to ask may still see a result there. Throws if that cannot be found out now. */
  const mayStillSee = async (user: string, channel: string): Promise<boolean> =>
    sees(user, channel, (await identity()).teams[0]);
  return {
    mayStillSee,
    /**
     * Whether somebody who perhaps never asked may see a result there, and reads what is posted there, as far as Slack lets
     * the bot know that. Throws as `mayStillSee`, and what Slack’s client throws.
     */
    reads: async (user: string, channel: string): Promise<boolean> => {
      const person = await people.get(user, PATIENT_MS);
      const maySee = person === 'hidden' ? mayStillSee(user, channel) : sees(user, channel, undefined);
      if (!(await maySee)) return false;
      const found = await members(channel);
      return found === 'hidden' || found.has(user);
    },
  };
}
