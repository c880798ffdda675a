import type { Json } from '../emulators/slack/json.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import type { BotState } from '../support/bot-process.ts';

/** The three parties of the exchanges. */
type Lane = 'slack' | 'bot' | 'service';

/** An exchange between two parties, as the panel "What happens underneath" shows it. */
export interface FlowStep {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly from: Lane;
  readonly to: Lane;
  readonly what: string;
  /** The answer; empty until it has come. */
  readonly answer: string;
  readonly state: 'open' | 'good' | 'bad';
  readonly ms: number | undefined;
  /** The payload, as JSON. */
  readonly detail: string;
}

/** A conversation in the list on the left. */
export interface ShownChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im' | 'app';
  readonly isShared: boolean;
  readonly isArchived: boolean;
  readonly hasBot: boolean;
}

/** A message without its earlier versions. */
export type ShownMessage = Omit<VisibleMessage, 'history'>;

/** A snapshot on the shelf. */
export interface ShelfBook {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  /** What to type after the command. */
  readonly command: string;
  /** Whether the snapshot has to be processed first. */
  readonly isSlow: boolean;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly isBot: boolean;
}

export interface BotShown {
  readonly state: BotState;
  readonly lastLines: readonly string[];
  /** Whether the page can end this bot and start it again. */
  readonly isControllable: boolean;
}

/** The commands and shortcuts of the app's manifest. */
export interface AppShown {
  readonly botUser: string;
  readonly commands: readonly { readonly command: string; readonly hint: string }[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly type: 'message' | 'global';
    readonly callbackId: string;
  }[];
}

/** Everything that the page shows to one person. */
export interface PageState {
  readonly me: Person;
  readonly people: readonly Person[];
  readonly channels: readonly ShownChannel[];
  readonly messages: readonly ShownMessage[];
  readonly views: readonly OpenView[];
  readonly home: OpenView | undefined;
  readonly app: AppShown;
  readonly shelf: readonly ShelfBook[];
  readonly bot: BotShown;
  readonly steps: readonly FlowStep[];
  /** Breaches of the rules of Slack or the service; empty with a well-behaved bot. */
  readonly breaches: readonly string[];
}

/** The answer to an action. `problem` is Slack's error. */
export interface ActionAnswer {
  readonly problem?: string;
}

export type { Json, OpenView };
