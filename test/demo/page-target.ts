import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import type { BotProcess } from './bot-process.ts';
import type { Flow } from './flow.ts';
import type { Manifest } from './manifest.ts';

/** What the page looks at and changes. */
export interface PageTarget {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly flow: Flow;
  readonly manifest: Manifest;
  /** Absent where the bot is no process of its own. */
  readonly bot?: BotProcess;
}

/** Those whose eyes the page can take. */
export const VIEWERS = ['ana', 'ben', 'guest'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The bot's name in the emulator's workspace. */
export const BOT_NAME = 'snapshot';
