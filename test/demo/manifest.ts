import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const FILE = new URL('../../manifest.yml', import.meta.url);

const slashCommand = z.object({
  command: z.string(),
  description: z.string().default(''),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});
const shortcut = z.object({
  name: z.string(),
  type: z.enum(['message', 'global']),
  callback_id: z.string(),
  description: z.string().default(''),
});
const appHome = z.object({
  home_tab_enabled: z.boolean().default(false),
  messages_tab_read_only_enabled: z.boolean().default(false),
});
const manifest = z.object({
  features: z.object({
    slash_commands: z.array(slashCommand).default([]),
    unfurl_domains: z.array(z.string()).default([]),
    shortcuts: z.array(shortcut).default([]),
    app_home: appHome.default({ home_tab_enabled: false, messages_tab_read_only_enabled: false }),
  }),
  oauth_config: z
    .object({
      scopes: z.object({
        bot: z.array(z.string()).default([]),
        bot_optional: z.array(z.string()).default([]),
      }),
    })
    .optional(),
});

/** What the app's manifest says of the commands, shortcuts and tabs by which people use the bot. */
export type Manifest = z.infer<typeof manifest>;

/** Reads the manifest, so that the page offers what the app would, with the permissions that it would have. */
export function readManifest(): Manifest {
  return manifest.parse(parse(readFileSync(FILE, 'utf8')));
}

/** The scopes of an app whose installer grants all that it asks for; undefined when the manifest names none. */
export function grantedScopes({ oauth_config }: Manifest): readonly string[] | undefined {
  const scopes = oauth_config?.scopes;
  return scopes && [...scopes.bot, ...scopes.bot_optional];
}
