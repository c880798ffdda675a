import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  App,
  BlockAction,
  GlobalShortcut,
  MessageShortcut,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  types,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Asked, Destination, Lookup } from '../../core/lookup.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { Delivered, Delivery } from '../../lookups/step.ts';
import { accept } from './accept.ts';
import type { Permission } from './access.ts';
import type { ListenerContext } from './context.ts';
import { guarded } from './guard.ts';
import { Interaction } from './interaction.ts';

/**
 * A feature is a folder of `src/slack/features` and a line in `index.ts` there; the rest of the bot works without it. It
 * imports no other feature: `index.ts` passes what it needs from another one.
 */
export type Feature = {
  /** Registers its listeners, each with what it may do. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
  /** Runs after an answer. If it throws, the whole delivery is retried, except for a bug, which is only logged. */
  readonly hook?: (event: DeliveryEvent) => Promise<void>;
  /** Shows the status of lookups whose destination is a pasted link; no hook follows on it. */
  readonly preview?: Delivery['deliver'];
  /** Resumes what was open when the bot stopped. */
  readonly start?: () => Promise<void>;
  readonly menu?: readonly MenuEntry[];
};

/** An entry in the menu of a result: the value that Slack sends, and what it does. */
export type MenuEntry = {
  readonly value: string;
  readonly choose: (press: Interaction) => Promise<unknown>;
};

/** A status that was delivered: the lookup as it was before, and where the status is shown now. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
  /** Whether the step was begun before: its hooks may have run then. */
  readonly isRepeated: boolean;
};

/**
 * Every event that the bot handles, with the permission that its listener needs; 'app' for an event that no person
 * causes.
 */
export const EVENTS = {
  app_mention: 'ask',
  message: 'ask',
  app_home_opened: 'read',
  link_shared: 'post',
  subteam_members_changed: 'app',
  app_uninstalled: 'app',
  tokens_revoked: 'app',
  user_change: 'app',
} as const;
type EventKind = keyof typeof EVENTS;

export type Event<Kind extends EventKind> = SlackEventMiddlewareArgs<Kind> & AllMiddlewareArgs;
export type Command = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type Shortcut<Kind extends GlobalShortcut | MessageShortcut> = SlackShortcutMiddlewareArgs<Kind> &
  AllMiddlewareArgs;

type Control = {
  readonly id: string | RegExp;
  readonly permission: Permission;
  readonly listener: (press: Interaction) => Promise<unknown>;
};
type Form = { readonly permission: Permission; readonly read: (press: Interaction) => FormOutcome };

/** What is wrong with a form, by the block of its input: it stays open and says so there. */
type Problems = { readonly errors: Readonly<Record<string, string>> };
/** A lookup, which is stored before the form closes. */
type ForLookup = { readonly asked: Asked; readonly destination: Destination };
/** Everything else is done after the form has closed, or `view`, in which nothing can be used, has taken its place. */
type ForWork = { readonly view?: types.ModalView; readonly work: () => Promise<unknown> };

/** What is done with a form, decided from what was filled in alone: without a request, because Slack waits. */
export type FormOutcome = Problems | ForLookup | ForWork;

/**
 * Where listeners are registered, each with its permission: commands, mentions, direct messages and shortcuts need `ask`.
 * The guard runs around each. A control or form without a listener gets a notice.
 */
export class Listeners {
  readonly #app: App;
  readonly #guard: ReturnType<typeof guarded>;
  readonly #controls: Control[] = [];
  readonly #forms = new Map<string, Form>();

  constructor(app: App, context: ListenerContext) {
    this.#app = app;
    this.#guard = guarded(context);
    app.action<BlockAction>(/^/, (args) => {
      const { action_id: name } = args.action;
      const control = this.#controls.find(({ id }) => (typeof id === 'string' ? id === name : id.test(name)));
      return this.#guard(args, control?.permission, () => control?.listener(new Interaction(args, context)));
    });
    app.view<ViewSubmitAction>({ type: 'view_submission', callback_id: /^/ }, (args) => {
      const form = this.#forms.get(args.view.callback_id);
      return this.#guard(args, form?.permission, () => form && submit(args, form, context));
    });
    app.event(/^/, async ({ event: { type } }) => {
      if (Object.hasOwn(EVENTS, type)) return;
      context.logger.warn({ event: type }, 'ignored an event of a kind that no listener hears');
    });
    app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
  }

  /**
   * A control by its action id, or by a pattern of such ids. It is acknowledged when its listener is done, or after two
   * seconds.
   */
  click(id: Control['id'], permission: Permission, listener: Control['listener']): void {
    this.#controls.push({ id, permission, listener });
  }

  /** `click` for a control that asks for a lookup: two presses at once, also by two people, ask once. */
  asking(id: Control['id'], permission: Permission, listener: Control['listener']): void {
    this.click(id, permission, (press) => press.once('anybody', () => listener(press)));
  }

  /** A form by its callback id; `read` decides what is done with it. The form waits only until a lookup is stored. */
  form(id: string, permission: Permission, read: (press: Interaction) => FormOutcome): void {
    this.#forms.set(id, { permission, read });
  }

  /** An event of a kind that the bot handles. */
  event<Kind extends EventKind>(kind: Kind, listener: (args: Event<Kind>) => Promise<unknown>): void {
    const permission = EVENTS[kind];
    this.#app.event(kind, async (args) => {
      const work = () => listener(args);
      if (permission === 'app') await work();
      else await this.#guard(args as AnyMiddlewareArgs & AllMiddlewareArgs, permission, work);
    });
  }

  /** Every command, by whatever name. */
  command(listener: (args: Command) => Promise<unknown>): void {
    this.#app.command(/^/, (args) => this.#guard(args, 'ask', () => listener(args)));
  }

  /** A shortcut, by its type and its callback id in the manifest. */
  shortcut<Kind extends GlobalShortcut | MessageShortcut>(
    type: Kind['type'],
    id: string,
    listener: (args: Shortcut<Kind>) => Promise<unknown>,
  ): void {
    this.#app.shortcut<Kind>({ type, callback_id: id }, (args) =>
      this.#guard(args, 'ask', () => listener(args)),
    );
  }
}

/** Acknowledges a submitted form and does what it is for, once, however often it is pressed. */
async function submit(args: Submission, { read }: Form, context: ListenerContext): Promise<unknown> {
  const { ack, view } = args;
  const press = new Interaction(args, context);
  const form = read(press);
  if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
  if ('asked' in form) {
    const { asked, destination } = form;
    // Each version of a modal has a hash of its own; every press has another trigger.
    const deliveryId = `form:${view.id}:${view.hash}`;
    return accept(asked, { deliveryId, destination, acknowledge: ack }, context);
  }
  await (form.view === undefined ? ack() : ack({ response_action: 'update', view: form.view }));
  return press.once(press.user, form.work);
}
