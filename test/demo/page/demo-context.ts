import { createContext, useContext } from 'react';
import type { OwnAction } from '../actions.ts';
import type { PageState } from '../wire.ts';

/** What the person has open on the page. */
export interface Spot {
  /** The id of a channel. */
  readonly channel: string;
  /** The tab of the bot's DM. */
  readonly tab: 'messages' | 'home';
  /** The open thread. */
  readonly thread: string | undefined;
  /** The pane that a phone shows. */
  readonly pane: 'channels' | 'conversation' | 'thread' | 'side';
}

/** A conversation right after it was opened. */
export const NOTHING_OPEN = { thread: undefined, tab: 'messages' } as const;

/** The state of the page, with the functions that change it. */
export interface Demo {
  readonly state: PageState;
  readonly spot: Spot;
  /** Slack's error for the latest action. */
  readonly problem: string;
  /** The line that the shelf puts into the message box. `count` tells two clicks on the same line apart. */
  readonly suggestedLine: { readonly line: string; readonly count: number };
  /** How many lines this person has sent, including commands. */
  readonly linesSent: number;
  go(change: Partial<Spot>): void;
  perform(action: OwnAction): Promise<boolean>;
  /** Shows an error of an action that Slack's client would not send. */
  complain(problem: string): void;
  dismiss(): void;
  suggest(line: string): void;
  become(viewer: string): void;
}

/** Holds the only `Demo` of the page. */
export const DemoContext = createContext<Demo | undefined>(undefined);

/** The state of the page and its actions. */
export function useDemo(): Demo {
  const demo = useContext(DemoContext);
  if (demo === undefined) throw new Error('Outside of the page');
  return demo;
}
