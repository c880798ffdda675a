import type { Context } from '../context.ts';
import type { Json } from '../json.ts';
import type { Channel, User } from '../model.ts';
import { TEAM } from '../seed.ts';

/** Who acts when a test does not say. */
const ANYBODY = 'ana';

/** The verification token that Slack still sends in each payload. */
const OLD_TOKEN = 'verification-token';

/** The person with this id or name; a test's mistake is an error. */
export function actor(context: Context, idOrName: string = ANYBODY): User {
  const user = context.workspace.user(idOrName);
  if (!user) throw new Error(`There is no user ${idOrName}`);
  return user;
}

/** The place with this id or name, if this person can write there. */
export function placeFor(context: Context, user: User, idOrName: string): Channel {
  const channel = context.workspace.channel(idOrName);
  if (!channel) throw new Error(`There is no channel ${idOrName}`);
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not in ${channel.name}`);
  if (channel.archived) throw new Error(`${channel.name} is archived, nobody can write there`);
  return channel;
}

/** The fields that every interaction has. */
export function interaction(type: string, user: User): Json {
  return {
    type,
    team: { id: TEAM.id, domain: TEAM.domain },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: TEAM.appId,
    token: OLD_TOKEN,
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** The fields that every slash command has. */
export function slashCommand(channel: Channel, user: User): Json {
  return {
    token: OLD_TOKEN,
    team_id: TEAM.id,
    team_domain: TEAM.domain,
    channel_id: channel.id,
    channel_name: publicName(channel),
    user_id: user.id,
    user_name: user.name,
    api_app_id: TEAM.appId,
    is_enterprise_install: 'false',
  };
}

/** The fields that every event has. */
export function eventEnvelope(id: string, at: number, channel: Channel | undefined, event: Json): Json {
  return {
    token: OLD_TOKEN,
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    context_enterprise_id: null,
    api_app_id: TEAM.appId,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(at / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: TEAM.id,
        user_id: TEAM.botUser,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
    event_context: `context-${id}`,
  };
}

/** A conversation's name as payloads give it. */
function publicName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}
