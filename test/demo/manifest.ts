import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const FILE = new URL('../../manifest.yml', import.meta.url);

const manifest = z.object({
  features: z.object({
    slash_commands: z.array(
      z.object({
        command: z.string(),
        usage_hint: z.string(),
        should_escape: z.boolean(),
      }),
    ),
    unfurl_domains: z.array(z.string()),
    shortcuts: z.array(
      z.object({ name: z.string(), type: z.enum(['message', 'global']), callback_id: z.string() }),
    ),
  }),
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
  }),
});

/** The commands, shortcuts and scopes in the app's manifest. */
export type Manifest = z.infer<typeof manifest>;

/** Reads the manifest, so that the page offers what the app offers, with the same scopes. */
export function readManifest(): Manifest {
  return manifest.parse(parse(readFileSync(FILE, 'utf8')));
}

/** The scopes of an app whose optional scopes are granted, too. */
export function grantedScopes({ oauth_config: { scopes } }: Manifest): readonly string[] {
  return [...scopes.bot, ...scopes.bot_optional];
}
