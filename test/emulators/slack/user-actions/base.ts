import { type Json, string } from '../json.ts';
import type { Channel, Delivery, StoredMessage, User } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';

/** The person who acts if a test names nobody. */
const ANYBODY = 'ana';

/** The verification token that Slack still sends in each payload. */
const OLD_TOKEN = 'verification-token';

/** The person with this id or name; throws if there is none. */
export function userNamed(context: Context, idOrName: string = ANYBODY): User {
  const user = context.workspace.user(idOrName);
  if (!user) throw new Error(`There is no user ${idOrName}`);
  return user;
}

/** The conversation with this id or name, if this person can write there. */
export function destinationFor(context: Context, user: User, idOrName: string): Channel {
  const channel = context.workspace.channel(idOrName);
  if (!channel) throw new Error(`There is no channel ${idOrName}`);
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not in ${channel.name}`);
  if (channel.archived) throw new Error(`${channel.name} is archived, nobody can write there`);
  return channel;
}

const ORGANISATION = { id: TEAM.enterpriseId, name: TEAM.enterpriseName };

/** The workspace of a person, as interactions name it. */
function teamOf({ isGrid }: Context, { teamId }: User): Json {
  const inGrid = isGrid && teamId !== TEAM.otherId;
  return {
    id: teamId,
    domain: teamId === TEAM.id ? TEAM.domain : teamId.toLowerCase(),
    ...(inGrid ? { enterprise_id: ORGANISATION.id, enterprise_name: ORGANISATION.name } : {}),
  };
}

/** The fields that every interaction has. */
export function interaction(context: Context, type: string, user: User): Json {
  return {
    type,
    team: teamOf(context, user),
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: TEAM.appId,
    token: OLD_TOKEN,
    enterprise: context.isGrid ? ORGANISATION : null,
    is_enterprise_install: false,
  };
}

/** The fields that every slash command has. */
export function slashCommand({ isGrid }: Context, channel: Channel, user: User): Json {
  return {
    token: OLD_TOKEN,
    team_id: TEAM.id,
    team_domain: TEAM.domain,
    ...(isGrid ? { enterprise_id: ORGANISATION.id, enterprise_name: ORGANISATION.name } : {}),
    channel_id: channel.id,
    channel_name: publicName(channel),
    user_id: user.id,
    user_name: user.name,
    api_app_id: TEAM.appId,
    is_enterprise_install: 'false',
  };
}

/** Sends an event to the bot, in the envelope of all events. */
export function deliverEvent(context: Context, channel: Channel | undefined, event: Json): Promise<Delivery> {
  const { isGrid, now, journal, sender } = context;
  const id = `Ev${journal.deliveries.length + 1}${string(event.event_ts).replace('.', '')}`;
  const enterpriseId = isGrid ? ORGANISATION.id : null;
  return sender.deliver('event', {
    token: OLD_TOKEN,
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    ...(isGrid ? { enterprise_id: enterpriseId } : {}),
    context_enterprise_id: enterpriseId,
    api_app_id: TEAM.appId,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(now() / 1000),
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: TEAM.id,
        user_id: TEAM.botUser,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
    event_context: `context-${id}`,
  });
}

/** The name of a conversation in payloads. */
function publicName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

/** The conversation of a message, as interactions name it. */
export function channelOf({ workspace }: Context, { channel: id }: StoredMessage): Json {
  const channel = workspace.channelById(id);
  return { id, name: channel?.kind === 'im' ? 'directmessage' : channel?.name };
}
