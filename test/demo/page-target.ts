import type { DemoWorld } from './demo-world.ts';

/** What the page shows and controls. `bot` is absent if the bot runs in this process. */
export type PageTarget = Omit<DemoWorld, 'bot' | 'close'> & Partial<Pick<DemoWorld, 'bot'>>;

/** The people whose view the page can show. */
export const VIEWERS = ['ana', 'ben', 'guest'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The app with a workflow that mentions the bot. */
export const INTAKE = { user: 'case-intake', appId: 'A0INTAKE' } as const;

/** The bot's name in the emulator's workspace. */
export const BOT_NAME = 'snapshot';
