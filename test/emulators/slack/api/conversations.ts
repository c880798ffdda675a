import { type Json, string } from '../json.ts';
import { channelJson } from '../message-json.ts';
import type { Channel, User } from '../model.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { knownUser, seenChannel } from './access.ts';

const READ_SCOPE = { public: 'channels:read', private: 'groups:read', im: 'im:read' } as const;

/** conversations.info */
export function info(args: Json, context: Context): Json {
  return { channel: channelJson(readable(args, context)) };
}

function readable(args: Json, context: Context): Channel {
  const channel = seenChannel(context, args.channel);
  const needed = READ_SCOPE[channel.kind];
  // The scope is optional, so a call without it is no breach.
  if (!context.scopes.has(needed)) throw Refusal.ofTheWorld('missing_scope', { needed });
  return channel;
}

/** conversations.open */
export function open(args: Json, context: Context): Json {
  const ids = string(args.users).split(',').filter(Boolean);
  const [id] = ids;
  if (id === undefined || ids.length !== 1) {
    throw new Refusal('invalid_arguments', 'only DMs with one user are modelled');
  }
  if (knownUser(context, id).isBot) throw new Refusal('cannot_dm_bot', 'a DM with a bot');
  return { channel: { id: context.workspace.dm(id).id } };
}

/** users.info */
export function userInfo(args: Json, context: Context): Json {
  const user = knownUser(context, args.user);
  const profile = { display_name: user.name, real_name: user.realName };
  return {
    user: {
      id: user.id,
      team_id: user.teamId,
      name: user.name,
      real_name: user.realName,
      deleted: false,
      is_bot: user.isBot,
      is_stranger: user.teamId === TEAM.otherId ? true : undefined,
      // Slack sets both flags for a guest of a single channel.
      is_restricted: user.guest !== undefined,
      is_ultra_restricted: user.guest === 'single-channel',
      ...(context.isGrid && user.teamId !== TEAM.otherId ? { enterprise_user: enterpriseUser(user) } : {}),
      ...zoneNow(user.zone ?? 'Europe/Lisbon'),
      profile,
    },
  };
}

/** Uses today's offset, which may be wrong for a day after a change of the clocks. */
function zoneNow(tz: string): Json {
  const seconds = Math.floor(Date.now() / 1_000);
  const there = new Date(seconds * 1_000).toLocaleString('sv-SE', { timeZone: tz });
  return { tz, tz_offset: Date.parse(`${there}Z`) / 1_000 - seconds };
}

function enterpriseUser({ id, teamId }: User): Json {
  const { enterpriseId, enterpriseName } = TEAM;
  return { id, enterprise_id: enterpriseId, enterprise_name: enterpriseName, teams: [teamId] };
}

/** usergroups.users.list */
export function userGroupMembers(args: Json, context: Context): Json {
  const users = context.userGroups.get(string(args.usergroup));
  if (!users) throw new Refusal('no_such_subteam', `no group ${String(args.usergroup)}`);
  return { users };
}
