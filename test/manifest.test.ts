import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isSeq, parse, parseDocument } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const SCHEMA = 'test/fixtures/slack-manifest.schema.2.0.0.json';

function file(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const TEXT = file('manifest.yml');

function problemsOf(manifest: unknown): unknown[] {
  // Slack's schema has words of its own, which say nothing about what is valid.
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  ajv.validate(JSON.parse(file(SCHEMA)), manifest);
  return ajv.errors ?? [];
}

/** The scopes that each method of the Web API needs (https://docs.slack.dev/reference/methods). */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'chat.postMessage': ['chat:write'],
  'chat.getPermalink': [],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'views.open': [],
  'views.update': [],
};
/** What the bot can do without: it asks for these, and goes on when it is refused. */
const OPTIONAL = ['conversations.history', 'conversations.replies'];
const CALL = /\bclient\s*\.\s*([a-z]\w*(?:\.\w+)*\.\w+)\(/g;
const LISTENS_TO_COMMANDS = /\bapp\.command\(/;

const SOURCES = globSync('src/**/*.ts', { cwd: ROOT }).map(file);
const METHODS = [
  ...new Set(SOURCES.flatMap((source) => [...source.matchAll(CALL)].map(([, method = '']) => method))),
];

function scopesOf(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => NEEDED[method] ?? []))].sort();
}

/** The scopes of a list in the manifest, each with the comment beside it. */
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
    const required = scopesOf(METHODS.filter((method) => !OPTIONAL.includes(method)));
    const asked = (list: 'bot' | 'bot_optional') =>
      scopes(list)
        .map(({ scope }) => scope)
        .sort();
    expect(asked('bot')).toEqual([...required, ...commands].sort());
    expect(asked('bot_optional')).toEqual(scopesOf(METHODS.filter((method) => OPTIONAL.includes(method))));
  });

  test('gives a reason beside each scope', () => {
    const unexplained = [...scopes('bot'), ...scopes('bot_optional')].filter(
      ({ reason }) => reason.length < 10,
    );
    expect(unexplained).toEqual([]);
  });

  test('sends commands and clicks to the one address that the bot listens at', () => {
    const { features, settings } = parse(TEXT);
    const addresses = [features.slash_commands[0].url, settings.interactivity.request_url];
    expect(addresses.map((address) => new URL(address).pathname)).toEqual(['/slack/events', '/slack/events']);
    expect(file('src/slack/bolt-app.ts')).toContain("'/slack/events'");
  });

  test('has Slack escape what people type, which is how links and mentions arrive', () => {
    expect(parse(TEXT).features.slash_commands).toEqual([
      expect.objectContaining({ command: '/snapshot', usage_hint: '26808463 hit', should_escape: true }),
    ]);
  });
});
