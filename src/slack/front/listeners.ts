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
 * A feature is a folder in `src/slack/features` with a line in `index.ts` there. Features don't import each other:
 * `index.ts` passes functions from one feature to another.
 */
export type Feature = {
  /** Registers the listeners, each with the permission that it needs. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
  /** Runs after an answer was sent. An error makes the bot retry the delivery; a bug is only logged. */
  readonly hook?: (event: DeliveryEvent) => Promise<void>;
  /** Shows the status of a lookup as the preview of a pasted link. */
  readonly preview?: Delivery['deliver'];
  /** Resumes, at the start of the bot, work that was open when the bot stopped. */
  readonly start?: () => Promise<void>;
  readonly menu?: readonly MenuEntry[];
};

/** An entry in the menu of a result. `value`: what Slack sends when a person chooses it. */
export type MenuEntry = {
  readonly value: string;
  readonly choose: (press: Interaction) => Promise<unknown>;
};

/** A status that was shown. `lookup`: the lookup before this step. `shown`: the destination after it. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
  /** Whether this step is a retry, whose hooks may already have run. */
  readonly isRepeated: boolean;
};

/** Every event that the bot handles, with the permission of its listener; 'app' for events that no person causes. */
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

/** What is wrong with a form, by block id. The form stays open and shows it. */
type Problems = { readonly errors: Readonly<Record<string, string>> };
/** A lookup to start: it is stored before the form closes. */
type ForLookup = { readonly asked: Asked; readonly destination: Destination };
/** Work to do. The form closes before it, or shows its outcome, and until then a placeholder without controls. */
type ForWork = { readonly placeholder?: types.ModalView; readonly work: () => Promise<unknown> };

/** What a submitted form causes. It is decided from the fields alone, without requests, because Slack waits for it. */
export type FormOutcome = Problems | ForLookup | ForWork;

/**
 * Registers listeners. The guard runs before each of them, with its permission; commands, mentions, direct messages and
 * shortcuts need `ask`. A press of a control without a listener gets a notice.
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
   * Registers a control by its action id, or by a pattern of ids. A click is acknowledged when its listener ends, but
   * before Slack reports a failure.
   */
  click(id: Control['id'], permission: Permission, listener: Control['listener']): void {
    this.#controls.push({ id, permission, listener });
  }

  /** Like `click`, for a control that starts a lookup: two presses at once start one lookup, even if two people press. */
  asking(id: Control['id'], permission: Permission, listener: Control['listener']): void {
    this.click(id, permission, (press) => press.once('anybody', () => listener(press)));
  }

  /** Registers a form by its callback id. `read` decides what a submission does; it must not send requests. */
  form(id: string, permission: Permission, read: (press: Interaction) => FormOutcome): void {
    this.#forms.set(id, { permission, read });
  }

  /** Registers a listener for an event. */
  event<Kind extends EventKind>(kind: Kind, listener: (args: Event<Kind>) => Promise<unknown>): void {
    const permission = EVENTS[kind];
    this.#app.event(kind, async (args) => {
      const work = () => listener(args);
      if (permission === 'app') await work();
      else await this.#guard(args as AnyMiddlewareArgs & AllMiddlewareArgs, permission, work);
    });
  }

  /** Registers the listener for slash commands of any name. */
  command(listener: (args: Command) => Promise<unknown>): void {
    this.#app.command(/^/, (args) => this.#guard(args, 'ask', () => listener(args)));
  }

  /** Registers a shortcut by its type and by its callback id in the manifest. */
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

/** How long the work of a form may take before a placeholder is shown. Milliseconds. */
const SOON_MS = 300;

/** Acknowledges a submitted form, and does its work once even if it is submitted repeatedly. */
async function submit(args: Submission, { read }: Form, context: ListenerContext): Promise<unknown> {
  const { ack, view } = args;
  const press = new Interaction(args, context);
  const form = read(press);
  if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
  if ('asked' in form) {
    const { asked, destination } = form;
    // The hash changes with each version of the window, but not with each press, so repeated presses share one id.
    const deliveryId = `form:${view.id}:${view.hash}`;
    return accept(asked, { deliveryId, destination, acknowledge: ack }, context);
  }
  const { placeholder, work } = form;
  if (placeholder === undefined) {
    await ack();
    return press.once(press.user, work);
  }
  const timer = setTimeout(() => void press.answer(placeholder).catch(() => {}), SOON_MS);
  await press.once(press.user, work).finally(() => clearTimeout(timer));
  // A repeated submission does no work, so it has shown nothing.
  return ack({ response_action: 'update', view: placeholder });
}
