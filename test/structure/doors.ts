/**
 * The folders and files of `src` that tests may import, relative to `src`. Tests reach everything else through the bot,
 * the operators' tools or these files, so that it can be rewritten without changing a test.
 */
export const DOORS: readonly string[] = [
  'app.ts',
  'config/config.ts',
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
  'storage/storage.ts',
];
