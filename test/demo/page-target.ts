import type { DemoWorld } from './demo-world.ts';

/** What the page shows and controls; the bot is left out if it is not a process of its own. */
export type PageTarget = Omit<DemoWorld, 'bot' | 'close'> & Partial<Pick<DemoWorld, 'bot'>>;

/** The people as whom the page can be used. */
export const VIEWERS = ['ana', 'ben', 'guest'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The app whose workflow mentions the bot. */
export const INTAKE = { user: 'case-intake', appId: 'A0INTAKE' } as const;

/** The bot's name in the emulator's workspace. */
export const BOT_NAME = 'snapshot';
