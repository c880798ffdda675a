import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  App,
  BlockAction,
  GlobalShortcut,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { Remembered } from '../../core/remembered.ts';
import { acceptForm, type FormOutcome } from './accept.ts';
import type { Permission } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { DeliveryKind, Received } from './delivery.ts';
import { guarded } from './guard.ts';
import { Interaction } from './interaction.ts';
import { unlessRepeated } from './once.ts';

/** Every event that the bot handles, with what its listener needs; 'app' for one that no person causes. */
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

type Event<Kind extends EventKind> = SlackEventMiddlewareArgs<Kind> & AllMiddlewareArgs;
type Command = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
type Click = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
type Shortcut<Kind extends GlobalShortcut | MessageShortcut> = SlackShortcutMiddlewareArgs<Kind> &
  AllMiddlewareArgs;

/** Where a control is used, and what its listener needs there. */
type Places = Readonly<Partial<Record<'message' | 'preview' | 'window' | 'home', Permission>>>;
type Control = {
  readonly id: string | RegExp;
  readonly places: Places;
  readonly listener: (args: Click) => Promise<unknown>;
};
type Form = { readonly permission: Permission; readonly listener: (args: Submission) => Promise<unknown> };

/**
 * Where listeners are registered, each with what it needs. The guard runs around each. Commands, mentions, direct messages
 * and shortcuts ask. What no listener is registered for gets a sentence.
 */
export class Listeners {
  readonly #app: App;
  readonly #context: ListenerContext;
  readonly #guard: ReturnType<typeof guarded>;
  readonly #controls: Control[] = [];
  /** The latest clicks: Slack may deliver one twice. In memory alone, because a click that only reads writes nothing. */
  readonly #clicks = new Remembered<true>();
  readonly #forms = new Map<string, Form>();

  constructor(app: App, context: ListenerContext) {
    this.#app = app;
    this.#context = context;
    this.#guard = guarded(context);
    app.action<BlockAction>(/^/, (args) => {
      const { trigger_id: id } = args.body;
      if (this.#clicks.get(id) === true) return args.ack();
      this.#clicks.set(id, true, 0);
      const control = this.#controls.find((each) => isOf(each.id, args.action.action_id));
      return this.#guard(args, control?.places[placeOf(args.context)], () => control?.listener(args));
    });
    app.view<ViewSubmitAction>({ type: 'view_submission', callback_id: /^/ }, (args) => {
      const form = this.#forms.get(args.view.callback_id);
      return this.#guard(args, form?.permission, () => form?.listener(args));
    });
    app.event(/^/, async ({ event: { type } }) => {
      if (Object.hasOwn(EVENTS, type)) return;
      context.logger.warn({ event: type }, 'ignored an event of a kind that no listener hears');
    });
    app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
  }

  /** A control by its action id, or by a pattern of such ids. It is acknowledged before its listener is called. */
  click(id: string | RegExp, places: Places, listener: (press: Interaction) => Promise<unknown>): void {
    const acknowledged = async (args: Click) => {
      await args.ack();
      await listener(new Interaction(args, this.#context));
    };
    this.#controls.push({ id, places, listener: acknowledged });
  }

  /**
   * The same for a control that asks for a lookup: its listener acknowledges it once that is stored, or else at its end.
   * Two presses at once, also of two people, ask once.
   */
  asking(
    id: string | RegExp,
    places: Places,
    listener: (press: Interaction, acknowledge: () => Promise<void>) => Promise<unknown>,
  ): void {
    const acknowledged = async (args: Click) => {
      const press = new Interaction(args, this.#context);
      await press.once('anybody', () => listener(press, () => args.ack()));
      await args.ack();
    };
    this.#controls.push({ id, places, listener: acknowledged });
  }

  /** A form by its callback id; `read` decides what is done with it: the form waits for nothing but the storing of a lookup. */
  form(id: string, permission: Permission, read: (press: Interaction) => FormOutcome): void {
    const listener = (args: Submission) =>
      acceptForm(args, read(new Interaction(args, this.#context)), this.#context);
    this.#forms.set(id, { permission, listener });
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

  /** A shortcut, by its type and its callback id in the manifest. Slack may deliver one twice. */
  shortcut<Kind extends GlobalShortcut | MessageShortcut>(
    type: Kind['type'],
    id: string,
    listener: (args: Shortcut<Kind>) => Promise<unknown>,
  ): void {
    this.#app.shortcut<Kind>({ type, callback_id: id }, (args) =>
      this.#guard(args, 'ask', async () => {
        await unlessRepeated(this.#context, `shortcut:${args.body.trigger_id}`, () => listener(args));
        await args.ack();
      }),
    );
  }
}

function isOf(id: string | RegExp, name: string): boolean {
  return typeof id === 'string' ? id === name : id.test(name);
}

const PLACES: Readonly<Partial<Record<DeliveryKind, keyof Places>>> = {
  'modal-click': 'window',
  'home-click': 'home',
  'preview-click': 'preview',
  'message-click': 'message',
};

function placeOf({ received }: Click['context']): keyof Places {
  const { delivery }: Received = received;
  return PLACES[delivery.actor?.kind ?? 'message-click'] ?? 'message';
}
