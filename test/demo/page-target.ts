import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import type { BotProcess } from './bot-process.ts';
import type { Flow } from './flow.ts';
import type { Manifest } from './manifest.ts';

/** The emulators and the bot that the page shows and controls. */
export interface PageTarget {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly flow: Flow;
  readonly manifest: Manifest;
  /** Undefined if the bot is not a process of its own. */
  readonly bot?: BotProcess;
}

/** The people as whom the page can be used. */
export const VIEWERS = ['ana', 'ben', 'guest'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The bot's name in the emulator's workspace. */
export const BOT_NAME = 'snapshot';
