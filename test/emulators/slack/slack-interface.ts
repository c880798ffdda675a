import type { Json } from './json.ts';
import type {
  ApiCall,
  Channel,
  Delivery,
  Fault,
  OpenView,
  SlackEvent,
  Unfurl,
  User,
  VisibleMessage,
} from './model.ts';
import type { RateLimit } from './rates.ts';
import type { DisconnectReason } from './sockets.ts';
import type { Names } from './text-lines.ts';
import type { ClickInput } from './user-actions/click.ts';
import type { CommandInput } from './user-actions/command.ts';
import type { SubmitInput } from './user-actions/modals.ts';
import type { ComposeInput, OpenPanelInput } from './user-actions/paste.ts';
import type { Said, SayInput } from './user-actions/say.ts';
import type { ShortcutInput } from './user-actions/shortcuts.ts';

/** A strict emulator of Slack, with a small workspace in it. */
export interface Slack {
  /** `http://127.0.0.1:PORT/api/` */
  readonly apiUrl: string;
  readonly signingSecret: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly users: readonly User[];
  readonly channels: readonly Channel[];
  /** Names of users and channels by id, for `renderText`. */
  readonly names: Names;
  readonly records: {
    readonly calls: readonly ApiCall[];
    /** A sentence for each thing that real Slack would refuse or no bot should do. A well-behaved bot leaves this empty. */
    readonly breaches: readonly string[];
    readonly deliveries: readonly Delivery[];
  };
  /** HTTP mode: where deliveries are posted to. Several addresses get them in turn; none means that nobody listens. */
  deliverTo(...eventsUrls: string[]): void;
  /**
   * Names the bot's process; `pid` is called for each delivery. Time in which the machine doesn't let that process run is
   * not counted towards Slack's three seconds.
   */
  runsIn(pid: () => number): void;
  /** Types a slash command; settles with the acknowledgement. */
  command(input: CommandInput): Promise<Delivery>;
  /** Uses an element of a message, a modal or a Home tab. */
  click(input: ClickInput): Promise<Delivery>;
  /** Writes a message as a person. */
  say(input: SayInput): Promise<Said>;
  /** Writes a message that begins with a mention of the bot. */
  mention(input: SayInput): Promise<Said>;
  /** Changes a person's message. */
  edit(message: VisibleMessage, text: string): Promise<Said>;
  /** Writes a message without sending it. */
  compose(input: ComposeInput): Promise<readonly Delivery[]>;
  /** What a person sees under the links of the message that this person is writing. */
  composer(user?: string): Readonly<Record<string, Unfurl>>;
  /** Opens the side panel of the Work Object under a link. */
  openPanel(input: OpenPanelInput): Promise<Delivery>;
  /** What a person sees in the side panel: the Work Object, or the error. */
  panel(user?: string): Json | undefined;
  /** Uses a message shortcut, or without a message a global one. */
  shortcut(input: ShortcutInput): Promise<Delivery>;
  /** Fills in a modal and submits it. */
  submit(input: SubmitInput): Promise<Delivery>;
  /** Closes the modal on top. */
  closeView(view: OpenView): Promise<void>;
  /** Opens the bot's Home tab. */
  openHome(user?: string): Promise<Delivery>;
  /** Sends a signed body, or a frame, that no Slack would send; gives the status, 0 over a socket. */
  sendRaw(body: string, type?: string): Promise<number>;
  /** Sends exactly the same payload once more. */
  redeliver(delivery: Delivery): Promise<Delivery>;
  /** Presses the same button or shortcut once more, or submits the same form: the trigger is another one. */
  pressAgain(delivery: Delivery): Promise<Delivery>;
  /** What a person (Ana unless given) sees in a channel, oldest first. */
  messages(channel: string, viewer?: string): VisibleMessage[];
  /** The modals that a person has open, the one on top last. */
  modals(user?: string): readonly OpenView[];
  /** A person's Home tab, once published. */
  home(user?: string): OpenView | undefined;
  /** Makes a public channel with everybody of the company and the bot in it. */
  addChannel(id: string): void;
  /** Adds a person to a channel; the bot if nobody is named. */
  join(channel: string, user?: string): void;
  /** Removes a person from a channel; the bot if nobody is named. */
  leave(channel: string, user?: string): void;
  /** Archives a channel. */
  archive(channel: string): void;
  /** Removes a message, as a moderator can. */
  remove(message: VisibleMessage): void;
  /** A person's client starts anew: ephemeral messages are gone. */
  reload(user?: string): void;
  /** Sets the members of a user group; settles when the bot has been told, if its scopes allow that. */
  setUserGroup(id: string, users: readonly string[]): Promise<Delivery | undefined>;
  /** Calls `look` now and after every change until it returns something; rejects after a time limit. */
  waitFor<T>(look: () => T | undefined, what: string, ms?: number): Promise<T>;
  /** Calls the listener with every change and every call; returns a function that ends this. */
  on(listener: (event: SlackEvent) => void): () => void;
  /** Makes the next calls of a method (`response_url` and `*` too) fail. */
  failNext(method: string, ...faults: Fault[]): void;
  /** From now on takes calls without doing or answering them, until the function that it gives is called. */
  hold(): () => void;
  /** From now on each call takes effect at once and is answered so many milliseconds later. */
  answerAfter(ms: () => number): void;
  /** Answers 429 to calls that come too often; `undefined` ends it. */
  setRateLimit(limit: RateLimit | undefined): void;
  readonly isRateLimited: boolean;
  /** How many Socket Mode connections are open. */
  readonly sockets: number;
  disconnectSockets(reason: DisconnectReason): void;
  close(): Promise<void>;
}
