import { type CannotStart, PortUnusable } from '../../src/core/errors.ts';
import { AuditFileUnusable } from '../../src/ops/audit.ts';
import { SlackUnreachable, TokenRejected } from '../../src/slack/front/slack-client.ts';
import { KeyFileUnusable } from '../../src/storage/backend/state-key.ts';
import { DataDirUnusable } from '../../src/storage/sqlite/sqlite-file.ts';

/** One of each reason for which the bot can't start, with every wording that it has. */
export const EVERY_START_ERROR: readonly CannotStart[] = [
  new TokenRejected('SLACK_BOT_TOKEN', 'invalid_auth'),
  new TokenRejected('SLACK_APP_TOKEN', 'invalid_auth'),
  new SlackUnreachable('ENOTFOUND'),
  new PortUnusable('PORT', 3000, 'EADDRINUSE'),
  new PortUnusable('OPS_PORT', 80, 'EACCES'),
  new DataDirUnusable('./data/snapshot-bot.sqlite', 'is in use by another process'),
  new DataDirUnusable('./data', 'cannot be written to'),
  new DataDirUnusable('./data/snapshot-bot.sqlite', 'is damaged'),
  new DataDirUnusable('./data/snapshot-bot.sqlite', 'was written by a newer version of the bot'),
  new AuditFileUnusable('./audit/audit.jsonl', 'ENOENT'),
  new KeyFileUnusable('./data/state.key', 'no key'),
  new KeyFileUnusable('./data/state.key', 'open to others'),
  new KeyFileUnusable('./data/state.key', 'missing'),
];
