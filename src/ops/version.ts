import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version in package.json. */
export const VERSION = version;
/** The User-Agent, which tells the service's operators which program sends the requests. */
export const USER_AGENT = `snapshot-bot/${VERSION} (Slack bot for snapshot diagnostics)`;
