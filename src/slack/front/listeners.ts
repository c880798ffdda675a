import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  App,
  BlockAction,
  BlockElementAction,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import type { May } from '../access/access.ts';
import type { Actor } from '../access/actor.ts';
import { EVENTS, type EventKind, isEventKind } from '../connection/deliveries.ts';

type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
/** Where a control is used, and what its listener does there. */
type Places = Readonly<Partial<Record<'message' | 'window' | 'home', May>>>;

/**
 * Where listeners are registered, each with what it does: the guard lets a delivery through to it only where that is
 * allowed. A control that is used where it is not registered was never shown there.
 */
export class Listeners {
  readonly #app: App;
  readonly #clicks: { readonly id: string | RegExp; readonly places: Places }[] = [];
  readonly #forms = new Map<string, May>();
  readonly #events = new Set<EventKind>();

  constructor(app: App) {
    this.#app = app;
  }

  /** A control by its action id, or by a pattern of such ids. */
  click<Action extends BlockElementAction = BlockElementAction>(
    id: string | RegExp,
    places: Places,
    listener: Middleware<SlackActionMiddlewareArgs<BlockAction<Action>>>,
  ): void {
    this.#clicks.push({ id, places });
    this.#app.action<BlockAction<Action>>(id, listener);
  }

  /** A form by its callback id. */
  form(id: string, may: May, listener: Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>>): void {
    this.#forms.set(id, may);
    this.#app.view<ViewSubmitAction>(id, listener);
  }

  /** An event of a kind that the bot handles. Throws for others, which would never reach the listener. */
  event<Kind extends EventKind>(kind: Kind, listener: Middleware<SlackEventMiddlewareArgs<Kind>>): void {
    if (!isEventKind(kind)) throw new Error(`no delivery of the kind ${kind} reaches a listener`);
    this.#events.add(kind);
    this.#app.event(kind, listener);
  }

  /** Every command, by whatever name. */
  command(listener: (args: CommandArgs) => Promise<void>): void {
    this.#app.use(async (args) => (isCommand(args) ? listener(args) : args.next()));
  }

  get shortcut(): App['shortcut'] {
    return this.#app.shortcut.bind(this.#app);
  }

  /** To be called when all listeners are registered. Throws if none hears a kind of event that the bot handles. */
  complete(): void {
    const unheard = Object.keys(EVENTS).filter((kind) => isEventKind(kind) && !this.#events.has(kind));
    if (unheard.length > 0) throw new Error(`no listener hears events of the kinds ${unheard}`);
  }

  /** What the listener of a delivery does; undefined if none is registered for it there. */
  mayOf({ entryPoint }: Actor, body: AnyMiddlewareArgs['body']): May | undefined {
    switch (entryPoint.kind) {
      case 'submission':
        return 'view' in body ? this.#forms.get(body.view?.callback_id ?? '') : undefined;
      case 'message-click':
        return entryPoint.isShortcut === true ? 'ask' : this.#placesOf(body)?.message;
      case 'modal-click':
        return this.#placesOf(body)?.window;
      case 'home-click':
        return this.#placesOf(body)?.home;
      default:
        return 'ask';
    }
  }

  #placesOf(body: AnyMiddlewareArgs['body']): Places | undefined {
    const [action] = 'actions' in body && Array.isArray(body.actions) ? body.actions : [];
    const used = 'action_id' in (action ?? {}) ? String(action.action_id) : '';
    return this.#clicks.find(({ id }) => (typeof id === 'string' ? id === used : id.test(used)))?.places;
  }
}

function isCommand(args: AnyMiddlewareArgs & AllMiddlewareArgs): args is CommandArgs {
  return 'command' in args && args.command !== undefined;
}
