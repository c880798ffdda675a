import type { Actor } from './actor.ts';
import type { Identity } from './identity.ts';
import type { UserGroups } from './user-groups.ts';

/** Who may use the bot, and where. An empty list restricts nothing; one that is set must be met. */
export type AccessRules = { readonly channels: readonly string[]; readonly userGroups: readonly string[] };

/** Why somebody is refused. `unsure`: it can't be found out now. */
export type Refusal = 'bot' | 'foreigner' | 'channel' | 'person' | 'unsure';

/** What the decision needs to know besides; `isMember` is undefined when nobody can tell. */
export type Circumstances = {
  readonly rules: AccessRules;
  readonly teams: readonly string[];
  readonly isMember: boolean | undefined;
};

/** A Home tab and a modal that is only being opened show and post nothing yet. */
const PLACELESS: readonly Actor['entrance']['kind'][] = ['home-opened', 'home-click', 'shortcut'];

/** The decision: why this actor is refused, or undefined. Whatever is not known counts against. */
export function refusalOf(actor: Actor, { rules, teams, isMember }: Circumstances): Refusal | undefined {
  if (actor.isBot) return 'bot';
  if (actor.team === undefined || !teams.includes(actor.team)) return 'foreigner';
  if (!isAllowedPlace(actor, rules)) return 'channel';
  if (rules.userGroups.length === 0 || isMember === true) return undefined;
  return isMember === undefined ? 'unsure' : 'person';
}

function isAllowedPlace({ channels, entrance }: Actor, rules: AccessRules): boolean {
  if (channels.length === 0) return rules.channels.length === 0 || PLACELESS.includes(entrance.kind);
  return channels.every((channel) => isAllowedChannel(channel, rules));
}

/** Whether the rules let the bot be used in this conversation. */
export function isAllowedChannel(channel: string, { channels }: AccessRules): boolean {
  return channels.length === 0 || channels.includes(channel);
}

export type AccessOptions = {
  readonly rules: AccessRules;
  readonly identity: () => Promise<Identity>;
  readonly userGroups: UserGroups;
};

/** Says who may do what now: for every command, mention, shortcut, click and modal. */
export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  get rules(): AccessRules {
    return this.#options.rules;
  }

  async refusalOf(actor: Actor): Promise<Refusal | undefined> {
    const { rules, identity, userGroups } = this.#options;
    const isMember =
      rules.userGroups.length === 0 ? undefined : await userGroups.includes(rules.userGroups, actor.user);
    try {
      return refusalOf(actor, { rules, teams: (await identity()).teams, isMember });
    } catch {
      return 'unsure';
    }
  }
}
