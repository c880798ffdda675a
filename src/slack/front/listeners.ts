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
  ViewSubmitAction,
} from '@slack/bolt';
import { acceptForm, type FormOutcome } from './accept.ts';
import type { May } from './access.ts';
import type { ListenerContext } from './context.ts';
import { type Delivery, type DeliveryKind, KINDS } from './delivery.ts';
import { Use } from './use.ts';

/**
 * Every event that the bot handles: one that a person causes, who may be refused, or one for the app itself. Others are
 * acknowledged, and leave a line in the log.
 */
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
/** Where a control is used, and what its listener does there. */
type Places = Readonly<Partial<Record<'message' | 'preview' | 'window' | 'home', May>>>;

/**
 * Where listeners are registered, each with what it does: the front lets a delivery through to it only where that is
 * allowed. A control that is used where it is not registered was never shown there. Commands, events and shortcuts ask.
 */
export class Listeners {
  readonly #app: App;
  readonly #context: ListenerContext;
  readonly #clicks: { readonly id: string | RegExp; readonly places: Places }[] = [];
  readonly #forms = new Map<string, May>();
  readonly #ignored = new Set<string>();
  readonly #heard = new Set<DeliveryKind | EventKind>(['event_callback']);

  constructor(app: App, context: ListenerContext) {
    this.#app = app;
    this.#context = context;
  }

  /** A control by its action id, or by a pattern of such ids. It is acknowledged before its listener is called. */
  click(id: string | RegExp, places: Places, listener: (use: Use) => Promise<unknown>): void {
    this.#control(id, places, async (click) => {
      await click.ack();
      await listener(new Use(click, this.#context));
    });
  }

  /** The same for a control that asks for a lookup: its listener acknowledges it once that is stored, or else at its end. */
  asking(
    id: string | RegExp,
    places: Places,
    listener: (use: Use, acknowledge: () => Promise<void>) => Promise<unknown>,
  ): void {
    this.#control(id, places, async (click) => {
      await listener(new Use(click, this.#context), () => click.ack());
      await click.ack();
    });
  }

  #control(
    id: string | RegExp,
    places: Places,
    listener: Middleware<SlackActionMiddlewareArgs<BlockAction>>,
  ): void {
    this.#heard.add('block_actions');
    this.#clicks.push({ id, places });
    this.#app.action<BlockAction>(id, listener);
  }

  /** A form by its callback id; `read` decides what is done with it: the form waits for nothing but the storing of a lookup. */
  form(id: string, may: May, read: (use: Use) => FormOutcome): void {
    this.#heard.add('view_submission');
    this.#forms.set(id, may);
    this.#app.view<ViewSubmitAction>(id, async (args) =>
      acceptForm(args, read(new Use(args, this.#context)), this.#context),
    );
  }

  /** An event of a kind that the bot handles. Throws for others, which would never reach the listener. */
  event<Kind extends EventKind>(kind: Kind, listener: Middleware<SlackEventMiddlewareArgs<Kind>>): void {
    if (!isEventKind(kind)) throw new Error(`no delivery of the kind ${kind} reaches a listener`);
    this.#heard.add(kind);
    this.#app.event(kind, listener);
  }

  /** An event that is dropped before anything is done for it, because the bot is configured so. */
  ignore(kind: EventKind): void {
    this.#heard.add(kind);
    this.#ignored.add(kind);
  }

  /** Whether it is an event that is dropped. */
  ignores({ kind, name }: Delivery): boolean {
    return kind === 'event_callback' && this.#ignored.has(name);
  }

  /** Whether what no person causes is for the app itself; undefined for an event of a kind that no listener hears. */
  isForTheApp({ name }: Delivery): boolean | undefined {
    return isEventKind(name) ? EVENTS[name] === 'app' : undefined;
  }

  /** Every command, by whatever name: most deliveries are commands, so no other listener is asked about them. */
  command(listener: (args: CommandArgs) => Promise<void>): void {
    this.#heard.add('command');
    this.#app.use(async (args) => (isCommand(args) ? listener(args) : args.next()));
  }

  /** A shortcut, by the callback id in the manifest. */
  shortcut(id: string, listener: Middleware<SlackShortcutMiddlewareArgs<GlobalShortcut>>): void {
    this.#heard.add('shortcut');
    this.#app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: id }, listener);
  }

  /** A shortcut in the menu of a message. */
  messageShortcut(id: string, listener: Middleware<SlackShortcutMiddlewareArgs<MessageShortcut>>): void {
    this.#heard.add('message_action');
    this.#app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: id }, listener);
  }

  /** To be called when all listeners are registered. Throws if none hears a kind that the bot handles. */
  complete(): void {
    const events = Object.keys(EVENTS).filter(isEventKind);
    const unheard = [...KINDS, ...events].filter((kind) => !this.#heard.has(kind));
    if (unheard.length > 0) throw new Error(`no listener hears deliveries of the kinds ${unheard}`);
  }

  /** What the listener of a delivery does; undefined if none is registered for it there. */
  mayOf({ actor, name }: Delivery): May | undefined {
    switch (actor?.entryPoint.kind) {
      case 'submission':
        return this.#forms.get(name);
      case 'message-click':
        if (actor.entryPoint.isShortcut === true) return 'ask';
        return this.#placesOf(name)?.[actor.entryPoint.isPreview === true ? 'preview' : 'message'];
      case 'modal-click':
        return this.#placesOf(name)?.window;
      case 'home-click':
        return this.#placesOf(name)?.home;
      case 'link':
        return 'post';
      default:
        return 'ask';
    }
  }

  #placesOf(name: string): Places | undefined {
    return this.#clicks.find(({ id }) => (typeof id === 'string' ? id === name : id.test(name)))?.places;
  }
}

function isCommand(args: AnyMiddlewareArgs & AllMiddlewareArgs): args is CommandArgs {
  return 'command' in args && args.command !== undefined;
}

/** Whether the bot handles events of this kind. */
function isEventKind(type: string): type is EventKind {
  return Object.hasOwn(EVENTS, type);
}
