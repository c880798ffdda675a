import { randomUUID } from 'node:crypto';
import type { PageTarget } from './page-target.ts';
import type { SwitchName } from './wire.ts';

const LATENCY_MS = 3_000;
/** Rate limits that refuse every post and edit with a 429. */
const NOTHING_ALLOWED = { postsPerSecond: 0.2, burst: 0, updatesPerMinute: 0.9 };

interface Switch {
  isOn(target: PageTarget): boolean;
  turn(target: PageTarget, isOn: boolean): void | Promise<void>;
}

/** The faults of Slack and of the service that a person can turn on and off. */
export const SWITCHES: Readonly<Record<SwitchName, Switch>> = {
  loginRefused: {
    isOn: ({ service }) => service.switches.loginRefused,
    turn(target, isOn) {
      target.service.switches.loginRefused = isOn;
      if (!isOn) return changePassword(target);
      // A bot with a session would not notice.
      target.service.expireSessions();
    },
  },
  slow: {
    isOn: ({ service }) => service.switches.latencyMs > 0,
    turn({ service }, isOn) {
      service.switches.latencyMs = isOn ? LATENCY_MS : 0;
    },
  },
  resets: {
    isOn: ({ service }) => service.switches.resetConnections,
    turn({ service }, isOn) {
      service.switches.resetConnections = isOn;
    },
  },
  slack429: {
    isOn: ({ slack }) => slack.isRateLimited,
    turn: ({ slack }, isOn) => slack.setRateLimit(isOn ? NOTHING_ALLOWED : undefined),
  },
};

/**
 * Changes the password on both sides and restarts the bot, as an operator would. Otherwise the bot would not try to log in
 * again for minutes.
 */
async function changePassword({ service, bot }: PageTarget): Promise<void> {
  if (bot === undefined) return;
  service.switches.userSecret = randomUUID();
  bot.environment.DIAGNOSTICS_USER_SECRET = service.switches.userSecret;
  if (bot.state !== 'running') return;
  await bot.end('SIGTERM');
  await bot.start();
}
