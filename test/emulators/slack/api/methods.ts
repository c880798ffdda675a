import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import * as files from './files.ts';
import * as history from './history.ts';
import * as unfurls from './unfurl.ts';
import * as views from './views.ts';

interface Method {
  /** The scope that the method needs. */
  readonly scope?: string | undefined;
  /** Whether the scope is optional: a call without it is then refused, but is no breach. */
  readonly isOptional?: boolean;
  readonly token: 'bot' | 'app';
  run(args: Json, context: Context): Json;
}

function botMethod(run: Method['run'], scope?: string): Method {
  return { scope, token: 'bot', run };
}

function optional(run: Method['run'], scope: string): Method {
  return { ...botMethod(run, scope), isOptional: true };
}

function authTest(_args: Json, { isGrid }: Context): Json {
  return {
    ...(isGrid ? { enterprise_id: TEAM.enterpriseId } : {}),
    url: `https://${TEAM.domain}.slack.com/`,
    team: 'Emulator',
    user: TEAM.botName,
    team_id: TEAM.id,
    user_id: TEAM.botUser,
    bot_id: TEAM.botId,
    is_enterprise_install: false,
  };
}

const METHODS: Readonly<Record<string, Method>> = {
  'auth.test': botMethod(authTest),
  'chat.postMessage': botMethod(chat.postMessage, 'chat:write'),
  'chat.postEphemeral': botMethod(chat.postEphemeral, 'chat:write'),
  'chat.update': botMethod(chat.update, 'chat:write'),
  'chat.unfurl': optional(unfurls.unfurl, 'links:write'),
  'chat.delete': botMethod(chat.remove, 'chat:write'),
  'chat.getPermalink': botMethod(chat.getPermalink),
  'conversations.history': botMethod(history.history),
  'conversations.replies': botMethod(history.replies),
  'conversations.info': botMethod(conversations.info),
  'conversations.open': optional(conversations.open, 'im:write'),
  'files.getUploadURLExternal': optional(files.getUploadUrl, 'files:write'),
  'files.completeUploadExternal': optional(files.completeUpload, 'files:write'),
  'users.info': optional(conversations.userInfo, 'users:read'),
  'usergroups.users.list': botMethod(conversations.userGroupMembers, 'usergroups:read'),
  'views.open': botMethod(views.open),
  'views.push': botMethod(views.push),
  'views.update': botMethod(views.update),
  'views.publish': botMethod(views.publish),
  'apps.connections.open': {
    token: 'app',
    run: (_args, { sockets }) => ({ url: `ws://slack/link/?ticket=${sockets.ticket()}` }),
  },
};

/** Executes a call; throws Slack's refusal. */
export function perform(name: string, token: string | undefined, args: Json, context: Context): Json {
  const method = METHODS[name];
  if (!method) throw new Refusal('unknown_method', 'unknown method');
  checkToken(token, method.token, context);
  const { scope: needed, isOptional } = method;
  if (needed !== undefined && !context.scopes.has(needed)) {
    const breach = isOptional ? undefined : `needs the scope ${needed}`;
    throw new Refusal('missing_scope', breach, { needed, provided: [...context.scopes].join(',') });
  }
  return { ok: true, ...method.run(args, context) };
}

function checkToken(token: string | undefined, kind: 'bot' | 'app', context: Context): void {
  const { botToken, appToken } = context.secrets;
  if (!token) throw new Refusal('not_authed', 'no token');
  if (token !== botToken && token !== appToken) throw new Refusal('invalid_auth', 'a wrong token');
  if (token !== (kind === 'bot' ? botToken : appToken)) {
    throw new Refusal('not_allowed_token_type', `needs the ${kind}'s token`);
  }
}
