/**
 * The doors of `src`: the folders and files that a test may import. All else is tested through the bot, the tools or one
 * of these, so that a room can be written anew without its tests. Paths are from `src`.
 */
export const DOORS: readonly string[] = [
  'app.ts',
  'config/config.ts',
  'config/load-config.ts',
  'config/settings.ts',
  'core',
  'doctor',
  'lookups/lookups.ts',
  'lookups/queue.ts',
  'ops',
  'service/client.ts',
  'service/document.ts',
  'service/reading.ts',
  'service/session.ts',
  'service/text.ts',
  'service/transport.ts',
  'slack/blocks/action-values.ts',
  'slack/blocks/limits.ts',
  'slack/commands',
  'slack/front/access.ts',
  'slack/front/listeners.ts',
  'slack/front/delivery.ts',
  'slack/front/slack-client.ts',
  'storage/open-storage.ts',
];
