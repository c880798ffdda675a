import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isSeq, parse, parseDocument } from 'yaml';
import { SCOPES } from '../../src/doctor/checks.ts';
import { EVENTS as HANDLED } from '../../src/slack/front/listeners.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCHEMA = 'test/fixtures/slack-manifest.schema.2.0.0.json';

function file(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const TEXT = file('manifest.yml');

function problemsOf(manifest: unknown): unknown[] {
  // Slack's schema has keywords that Ajv does not know and that do not validate anything.
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  ajv.validate(JSON.parse(file(SCHEMA)), manifest);
  return ajv.errors ?? [];
}

/** The scopes of each method of the Web API (https://docs.slack.dev/reference/methods). */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.unfurl': ['links:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'conversations.open': ['im:write'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};
/** Methods whose refusal the bot survives, so their scopes are optional. */
const OPTIONAL = [
  'chat.unfurl',
  'conversations.history',
  'conversations.info',
  'conversations.replies',
  'conversations.open',
  'files.completeUploadExternal',
  'files.getUploadURLExternal',
  'usergroups.users.list',
  'users.info',
];
/** The subscription and the scopes of each event that a listener handles (https://docs.slack.dev/reference/events). */
const EVENTS: Readonly<
  Record<string, { readonly subscription: string; readonly scopes: readonly string[] }>
> = {
  app_mention: { subscription: 'app_mention', scopes: ['app_mentions:read'] },
  message: { subscription: 'message.im', scopes: ['im:history'] },
  // This event needs links:read, which is an optional scope.
  link_shared: { subscription: 'link_shared', scopes: [] },
  app_home_opened: { subscription: 'app_home_opened', scopes: [] },
  subteam_members_changed: { subscription: 'subteam_members_changed', scopes: [] },
  app_uninstalled: { subscription: 'app_uninstalled', scopes: [] },
  tokens_revoked: { subscription: 'tokens_revoked', scopes: [] },
  // This event needs users:read, which is an optional scope.
  user_change: { subscription: 'user_change', scopes: [] },
};
const CALL = /\bclient\s*\.\s*([a-z]\w*(?:\.\w+)*\.\w+)\(/g;
const LISTENS_TO_COMMANDS = /\bon\.(?:command|shortcut)\b/;
const CALLBACK = /_SHORTCUT = '([\w-]+)'/g;

const SOURCES = globSync('src/slack/**/*.ts', { cwd: ROOT }).map(file);
const METHODS = [
  ...new Set(SOURCES.flatMap((source) => [...source.matchAll(CALL)].map(([, method = '']) => method))),
];

const HEARD = Object.keys(HANDLED);

function scopesOf(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => NEEDED[method] ?? []))].sort();
}

/** The scopes of a list in the manifest, each with the comment on its line. */
function scopes(list: 'bot' | 'bot_optional'): { scope: string; reason: string }[] {
  const found = parseDocument(TEXT).getIn(['oauth_config', 'scopes', list]);
  if (!isSeq<{ value: string; comment?: string | null }>(found)) throw new Error(`no scopes in ${list}`);
  return found.items.map(({ value, comment }) => ({ scope: value, reason: (comment ?? '').trim() }));
}

describe('the manifest', () => {
  test('is one that Slack takes', () => {
    expect(problemsOf(parse(TEXT))).toEqual([]);
  });

  test('is checked against a schema that refuses mistakes', () => {
    expect(
      problemsOf({ ...parse(TEXT), features: { slash_commands: [{ command: 'snapshot' }] } }),
    ).not.toEqual([]);
    expect(problemsOf({ ...parse(TEXT), scopes: ['admin'] })).not.toEqual([]);
  });

  test('asks for exactly the scopes that the code needs', () => {
    expect(METHODS.filter((method) => NEEDED[method] === undefined)).toEqual([]);
    const commands = SOURCES.some((source) => LISTENS_TO_COMMANDS.test(source)) ? ['commands'] : [];
    const events = HEARD.flatMap((event) => EVENTS[event]?.scopes ?? []);
    const required = [...scopesOf(METHODS.filter((method) => !OPTIONAL.includes(method))), ...events];
    const optional = [
      ...scopesOf(METHODS.filter((method) => OPTIONAL.includes(method))),
      'links:read',
    ].sort();
    const asked = (list: 'bot' | 'bot_optional') =>
      scopes(list)
        .map(({ scope }) => scope)
        .sort();
    expect(asked('bot')).toEqual([...required, ...commands].sort());
    expect(asked('bot_optional')).toEqual(optional.filter((scope) => !required.includes(scope)));
  });

  test('asks for the scopes that the doctor looks for, each with what it costs to leave it out', () => {
    for (const list of ['bot', 'bot_optional'] as const) {
      expect(Object.keys(SCOPES[list]).sort()).toEqual(
        scopes(list)
          .map(({ scope }) => scope)
          .sort(),
      );
    }
  });

  test('gives a reason beside each scope', () => {
    const unexplained = [...scopes('bot'), ...scopes('bot_optional')].filter(
      ({ reason }) => reason.length < 10,
    );
    expect(unexplained).toEqual([]);
  });

  test('subscribes to exactly the events that the code hears', () => {
    const { event_subscriptions } = parse(TEXT).settings;
    expect([...event_subscriptions.bot_events].sort()).toEqual(
      HEARD.map((event) => EVENTS[event]?.subscription ?? event).sort(),
    );
  });

  test('offers the shortcuts that the code hears, and the tabs that it fills', () => {
    const { shortcuts, app_home } = parse(TEXT).features;
    const withErrorListener = SOURCES.flatMap((source) => [...source.matchAll(CALLBACK)].map(([, id]) => id));
    expect(shortcuts.map(({ callback_id }: { callback_id: string }) => callback_id).sort()).toEqual(
      withErrorListener.sort(),
    );
    expect(app_home).toEqual({
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
  });

  test('is for Socket Mode, and with its three addresses for HTTP, where the bot listens', () => {
    expect(parse(TEXT).settings.socket_mode_enabled).toBe(true);
    const overHttp = TEXT.replaceAll(/# ((?:request_)?url:)/g, '$1').replace(
      'mode_enabled: true',
      'mode_enabled: false',
    );
    expect(problemsOf(parse(overHttp))).toEqual([]);
    const { features, settings } = parse(overHttp);
    const addresses = [
      features.slash_commands[0].url,
      settings.interactivity.request_url,
      settings.event_subscriptions.request_url,
    ];
    expect(new Set(addresses)).toEqual(new Set(['https://bot.example.com/slack/events']));
  });

  test('has Slack escape what people type, which is how links and mentions arrive', () => {
    expect(parse(TEXT).features.slash_commands).toEqual([
      expect.objectContaining({
        command: '/snapshot',
        usage_hint: '<id> [critical | CVE-… | me] or help',
        should_escape: true,
      }),
    ]);
  });

  test('offers each shortcut where it can be used: one on a message, one everywhere', () => {
    const { shortcuts, bot_user } = parse(TEXT).features;
    const types = shortcuts.map(({ type, callback_id }: Record<string, string>) => [callback_id, type]);
    expect(types).toEqual([
      ['diagnose-snapshot', 'message'],
      ['look-up-snapshot', 'global'],
    ]);
    expect(bot_user).toEqual({ display_name: 'Snapshot', always_online: true });
    expect(parse(TEXT).display_information.name).toBe('Snapshot');
  });

  test('takes clicks, with a token that stays: the bot can renew none', () => {
    const { interactivity, event_subscriptions: _events, ...others } = parse(TEXT).settings;
    expect(interactivity.is_enabled).toBe(true);
    expect(others).toEqual({
      ...{ org_deploy_enabled: false, socket_mode_enabled: true, token_rotation_enabled: false },
    });
  });
});
