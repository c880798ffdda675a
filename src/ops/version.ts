import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of the bot, as package.json states it. */
export const VERSION = version;
/** The User-Agent, which tells the service's operators who is calling. */
export const USER_AGENT = `snapshot-bot/${VERSION} (Slack bot for snapshot diagnostics)`;
