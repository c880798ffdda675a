import { createContext, useContext } from 'react';
import type { OwnAction } from '../actions.ts';
import type { PageState } from '../wire.ts';

/** Where the person is on the page. */
export interface Spot {
  /** A channel's id. */
  readonly channel: string;
  /** Which tab of the bot's DM. */
  readonly tab: 'messages' | 'home';
  /** The thread that is open. */
  readonly thread: string | undefined;
  /** Which of the panes a phone shows. */
  readonly pane: 'channels' | 'conversation' | 'thread' | 'side';
}

/** A conversation as one comes to it. */
export const NOTHING_OPEN = { thread: undefined, tab: 'messages' } as const;

/** The state of the page, and the functions that change it. */
export interface Demo {
  readonly state: PageState;
  readonly spot: Spot;
  /** What Slack says of the latest action, when it failed. */
  readonly problem: string;
  /** The line that the shelf types into the message box. */
  readonly suggestedLine: { readonly line: string; readonly count: number };
  /** How many lines this person has sent, commands included. */
  readonly linesSent: number;
  go(change: Partial<Spot>): void;
  perform(action: OwnAction): Promise<boolean>;
  /** Shows an error of an action that Slack's client would not even send. */
  complain(problem: string): void;
  dismiss(): void;
  suggest(line: string): void;
  become(viewer: string): void;
}

/** Holds the page's one `Demo`. */
export const DemoContext = createContext<Demo | undefined>(undefined);

/** The page's state and what can be done with it. */
export function useDemo(): Demo {
  const demo = useContext(DemoContext);
  if (demo === undefined) throw new Error('Outside of the page');
  return demo;
}
