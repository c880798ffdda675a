import { readConfig } from '../../src/config/config.ts';
import type { Variable } from '../../src/config/settings.ts';
import { NEEDED_VARIABLES } from './needed-variables.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

/** A second valid value of every variable. */
export const OTHER_VALUES: Readonly<Record<Variable, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-other',
  SLACK_SIGNING_SECRET: 'other',
  SLACK_APP_TOKEN: 'xapp-1-other',
  SLACK_API_URL: 'https://other.example.com/api/',
  PORT: '3001',
  OPS_PORT: '3002',
  DIAGNOSTICS_BASE_URL: 'https://other.example.com',
  DIAGNOSTICS_AUTH_URL: 'https://other.example.com',
  DIAGNOSTICS_LOGIN_URL: 'https://other.example.com',
  DIAGNOSTICS_VENDOR: 'other',
  DIAGNOSTICS_USER_ID: 'other@example.com',
  DIAGNOSTICS_USER_SECRET: 'another secret',
  SERVICE_CONCURRENCY: '3',
  REDIS_URL: 'redis://other.example.com',
  DATA_DIR: '/other',
  STATE_KEY: Buffer.alloc(32, 8).toString('base64'),
  WAIT_LIMIT_MINUTES: '7',
  ALLOWED_CHANNELS: 'C0OTHER',
  ALLOWED_USERGROUPS: 'S0OTHER',
  ALLOWED_APPS: 'A0OTHER',
  ALLOW_GUESTS: 'yes',
  COMMANDS_PER_MINUTE: '7',
  AUDIT_FILE: '/other/audit.jsonl',
  ALLOW_SHARED_CHANNELS: 'yes',
  LOG_LEVEL: 'debug',
  LOG_FORMAT: 'pretty',
  CONTACT: '#bot-help',
  ADMINS: 'U0OTHER',
  RESULT_MINUTES: '5',
  HISTORY_DAYS: '7',
  UNFURL: 'no',
  KEV_FILE: '/other/kev.json',
  TICKET_URL: 'https://tickets.example.com/new?title={title}',
  HTTPS_PROXY: 'http://other.example.com',
  HTTP_PROXY: 'http://other.example.com',
  NO_PROXY: 'other.example.com',
};

/** The configuration from the required variables and these changes. */
export function configOf(changes: Readonly<Record<string, string>> = {}) {
  return readConfig({ ...NEEDED_VARIABLES, STATE_KEY: KEY, ...changes }, () => '');
}
