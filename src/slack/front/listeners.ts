import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  App,
  BlockAction,
  GlobalShortcut,
  MessageShortcut,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { acceptForm, type FormOutcome } from './accept.ts';
import type { Permission } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { EntryPoint } from './delivery.ts';
import { guarded } from './guard.ts';
import { Interaction } from './interaction.ts';

/** Every event that the bot handles: one that a person causes, who may be refused, or one for the app itself. */
export const EVENTS = {
  app_mention: 'person',
  message: 'person',
  app_home_opened: 'person',
  link_shared: 'person',
  subteam_members_changed: 'app',
  app_uninstalled: 'app',
  tokens_revoked: 'app',
  user_change: 'app',
} as const;
type EventKind = keyof typeof EVENTS;

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
/** Where a control is used, and what its listener does there. */
type Places = Readonly<Partial<Record<'message' | 'preview' | 'window' | 'home', Permission>>>;
type Control = {
  readonly id: string | RegExp;
  readonly places: Places;
  readonly listener: (args: ActionArgs) => Promise<unknown>;
};
type Form = { readonly permission: Permission; readonly listener: (args: ViewArgs) => Promise<unknown> };

/**
 * Where listeners are registered, each with what it does. The guard runs before each; it lets a delivery through only
 * where that is allowed. Commands, events and shortcuts ask. What no listener is registered for gets a sentence.
 */
export class Listeners {
  readonly #app: App;
  readonly #context: ListenerContext;
  readonly #guard: ReturnType<typeof guarded>;
  readonly #controls: Control[] = [];
  readonly #forms = new Map<string, Form>();

  constructor(app: App, context: ListenerContext) {
    this.#app = app;
    this.#context = context;
    this.#guard = guarded(context);
    app.action<BlockAction>(/^/, (args) => {
      const control = this.#controls.find(({ id }) => isOf(id, args.action.action_id));
      return this.#guard(args, control?.places[placeOf(args)], () => control?.listener(args));
    });
    app.view<ViewSubmitAction>({ type: 'view_submission', callback_id: /^/ }, (args) => {
      const form = this.#forms.get(args.view.callback_id);
      return this.#guard(args, form?.permission, () => form?.listener(args));
    });
    app.event(/^/, async ({ event, context: { received } }) => {
      if (isEventKind(event.type)) return;
      const { name }: { readonly name: string } = received.delivery;
      context.logger.warn(
        { event: name.slice(0, LONGEST_KIND) },
        'ignored an event of a kind that no listener hears',
      );
    });
    app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
  }

  /** A control by its action id, or by a pattern of such ids. It is acknowledged before its listener is called. */
  click(id: string | RegExp, places: Places, listener: (press: Interaction) => Promise<unknown>): void {
    const acknowledged = async (args: ActionArgs) => {
      await args.ack();
      await listener(new Interaction(args, this.#context));
    };
    this.#controls.push({ id, places, listener: acknowledged });
  }

  /** The same for a control that asks for a lookup: its listener acknowledges it once that is stored, or else at its end. */
  asking(
    id: string | RegExp,
    places: Places,
    listener: (press: Interaction, acknowledge: () => Promise<void>) => Promise<unknown>,
  ): void {
    const acknowledged = async (args: ActionArgs) => {
      await listener(new Interaction(args, this.#context), () => args.ack());
      await args.ack();
    };
    this.#controls.push({ id, places, listener: acknowledged });
  }

  /** A form by its callback id; `read` decides what is done with it: the form waits for nothing but the storing of a lookup. */
  form(id: string, permission: Permission, read: (press: Interaction) => FormOutcome): void {
    const listener = (args: ViewArgs) =>
      acceptForm(args, read(new Interaction(args, this.#context)), this.#context);
    this.#forms.set(id, { permission, listener });
  }

  /** An event of a kind that the bot handles. */
  event<Kind extends EventKind>(
    kind: Kind,
    listener: (args: SlackEventMiddlewareArgs<Kind> & AllMiddlewareArgs) => Promise<unknown>,
  ): void {
    const permission = kind === 'link_shared' ? 'post' : 'ask';
    const hear: Middleware<SlackEventMiddlewareArgs<Kind>> =
      EVENTS[kind] === 'app'
        ? async (args) => void (await listener(args))
        : (args) =>
            this.#guard(args as AnyMiddlewareArgs & AllMiddlewareArgs, permission, () => listener(args));
    this.#app.event(kind, hear);
  }

  /** Every command, by whatever name. */
  command(listener: (args: CommandArgs) => Promise<void>): void {
    this.#app.command(/^/, (args) => this.#guard(args, 'ask', () => listener(args)));
  }

  /** A shortcut, by the callback id in the manifest. */
  shortcut(id: string, listener: Middleware<SlackShortcutMiddlewareArgs<GlobalShortcut>>): void {
    this.#app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: id }, (args) =>
      this.#guard(args, 'ask', () => listener(args)),
    );
  }

  /** A shortcut in the menu of a message. */
  messageShortcut(id: string, listener: Middleware<SlackShortcutMiddlewareArgs<MessageShortcut>>): void {
    this.#app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: id }, (args) =>
      this.#guard(args, 'ask', () => listener(args)),
    );
  }
}

/** Slack's own kinds are shorter. */
const LONGEST_KIND = 60;

function isOf(id: string | RegExp, name: string): boolean {
  return typeof id === 'string' ? id === name : id.test(name);
}

function placeOf({ context: { received } }: ActionArgs): keyof Places {
  const { kind, ...where }: EntryPoint = received.delivery.actor.entryPoint;
  if (kind === 'modal-click') return 'window';
  if (kind === 'home-click') return 'home';
  return 'isPreview' in where && where.isPreview === true ? 'preview' : 'message';
}

/** Whether the bot handles events of this kind. */
function isEventKind(type: string): type is EventKind {
  return Object.hasOwn(EVENTS, type);
}
