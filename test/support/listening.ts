import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { MockAgent } from 'undici';
import { NOTHING_ACCEPTED } from '../../src/core/comparing.ts';
import { StorageFailed } from '../../src/core/faults.ts';
import type { LookupRequest } from '../../src/core/lookup.ts';
import { ask } from '../../src/slack/features/ask/index.ts';
import { controls } from '../../src/slack/features/controls/index.ts';
import { wait } from '../../src/slack/features/wait/index.ts';
import type { ListenerContext } from '../../src/slack/front/context.ts';
import type { Feature } from '../../src/slack/front/feature.ts';
import { Listeners } from '../../src/slack/front/listeners.ts';
import { fairShare } from '../../src/slack/front/turns.ts';
import { Windows } from '../../src/slack/front/windows.ts';
import { aResult } from './a-diagnostic.ts';
import { aStore } from './embedded.ts';
import { featureParts, MENU } from './feature-parts.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from './scripted-slack.ts';

/** When everything happens here, in epoch milliseconds. */
export const NOW = 10_000_000_000;

type Handler = (args: object) => Promise<void>;
type Listener = { readonly of: unknown; readonly handler: Handler };
type Click = {
  readonly value?: string;
  readonly blockId?: string;
  /** The value of the chosen option of a menu. */
  readonly option?: string;
  readonly user?: string;
  /** By default one for each person. */
  readonly trigger?: string;
  /** The clicked message; by default one of the channel that everybody sees. */
  readonly container?: object;
  readonly view?: object;
  readonly message?: object;
};
type Submitted = {
  readonly values?: object;
  readonly metadata?: string;
  readonly blocks?: object[];
  /** Another window than that of the other submissions, or another version of it. */
  readonly viewId?: string;
  readonly hash?: string;
  /** Whether the front has acknowledged it meanwhile. */
  readonly isAcknowledged?: boolean;
  readonly more?: object;
};
type Options = {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly slack?: (call: ScriptedCall) => ScriptedAnswer | undefined;
};

/** The URL that belongs to every click and command here. */
export const RESPONSE_URL = 'https://hooks.slack.test/1';
const CLICKED = { type: 'message', channel_id: 'C1', message_ts: '2.2' };
/** The message that was clicked, as only one person sees it. */
export const PRIVATE = { ...CLICKED, is_ephemeral: true };
/** The clicked message as a reply in a thread. */
export const IN_THREAD = { ...CLICKED, thread_ts: '1.1' };

/** Slack's address for the bytes of files. */
const UPLOADS = new MockAgent();
UPLOADS.get('https://files.slack.test').intercept({ path: '/', method: 'POST' }).reply(200).persist();
const UPLOADED: Readonly<Record<string, object>> = {
  'files.getUploadURLExternal': { upload_url: 'https://files.slack.test/', file_id: 'F1' },
};

/** The listeners of every way to ask. */
export const asking = ask.listen;

/** The menu of a result, and the window behind its last entry. */
export const menus = controls(MENU).listen;

/** The buttons of a message that waits. */
export const waiting = wait(featureParts()).listen;

/** What the store does while it is away. */
export const away = () => Promise.reject(new StorageFailed());

/**
 * Listeners without Bolt, of a feature with its entries in menus: what they do with a delivery is listed, in its order. What they work with is ready and empty;
 * a test gives what differs.
 */
export function listening(feature: Feature | Feature['listen'], { changes = {}, slack }: Options = {}) {
  const { client, calls } = scriptedSlack((call) => slack?.(call) ?? UPLOADED[call.method] ?? {});
  const done: [what: string, ...args: unknown[]][] = [];
  const log: string[] = [];
  const notes =
    (what: string, result: unknown = undefined) =>
    async (...args: unknown[]) => {
      done.push([what, ...args]);
      return result;
    };
  const context = contextWith(notes, done, log, client, changes);
  const listeners: Listener[] = [];
  const add = (of: unknown, handler: Handler) => void listeners.push({ of, handler });
  const app = { action: add, view: add, event: add, shortcut: add, use: (each: Handler) => add('use', each) };
  const on = new Listeners(app as unknown as App, context);
  if (typeof feature === 'function') feature(on, context);
  else for (const { listen } of [feature, controls(feature.menu ?? [])]) listen(on, context);
  const bolt = { client, ack: notes('ack'), context: { botUserId: 'U0BOT' } };
  const deliver = async (name: string, args: object) => {
    const found = listeners.find(({ of }) => (of instanceof RegExp ? of.test(name) : of === name));
    if (found === undefined) throw new Error(`nothing listens to ${name}`);
    await found.handler({ ...bolt, ...args });
  };
  return {
    ...{ done, calls, log, context },
    /** What was done under this name, each time with what it was given. */
    of: (what: string) => done.filter(([name]) => name === what).map(([, ...args]) => args),
    happens: (type: string, event: object) => deliver(type, { event, body: { event_id: 'Ev1' } }),
    click: (actionId: string, clicked: Click = {}) => deliver(actionId, clickOf(actionId, clicked)),
    submit: (callbackId: string, submitted: Submitted = {}) => deliver(callbackId, submissionOf(submitted)),
    shortcut: (shortcut: object) =>
      listeners
        .find(({ of }) => JSON.stringify(of).includes('message_action'))
        ?.handler({ ...bolt, shortcut }) ?? Promise.reject(new Error('no shortcut')),
    command: (text: string) => deliver('use', { command: commandOf(text), body: {} }),
  };
}

/** Windows whose metadata tests read as it was written. */
function unsignedWindows(): Windows {
  return Object.assign(new Windows(''), { signed: (view: object) => view });
}

/** Nothing is accepted for any device. */
export const NONE_ACCEPTED = {
  of: async () => NOTHING_ACCEPTED,
  complete: async (_asked: unknown, answers: unknown) => answers,
} as unknown as ListenerContext['acceptances'];

/** Nobody follows anything. */
const UNFOLLOWED: ListenerContext['following'] = {
  refusal: async () => undefined,
  stop: async () => '',
  of: async () => [],
};

/** Accepts a request once for each delivery. */
function acceptingOnce(accept: (request: LookupRequest) => Promise<unknown>) {
  const deliveries = new Set<string>();
  const isRepeated = async (delivery: string) => deliveries.has(delivery);
  const noteJoined = async (delivery: string) => deliveries.size < deliveries.add(delivery).size;
  return {
    ...{ isRepeated, noteJoined },
    accept: async (request: LookupRequest) =>
      (request.delivery === undefined || (await noteJoined(request.delivery))) &&
      accept(request).then(() => true),
  };
}

function contextWith(
  notes: (what: string, result?: unknown) => (...args: unknown[]) => Promise<unknown>,
  done: unknown[],
  log: string[],
  client: unknown,
  changes: object,
): ListenerContext {
  const ready = { kind: 'ready', result: aResult([]), readAt: NOW };
  const { leases } = aStore(() => NOW);
  const context = {
    now: () => NOW,
    client,
    ...{ leases, fairShare: fairShare({ perMinute: 1, now: () => NOW }) },
    logger: pino({}, { write: (line) => void log.push(line) }),
    operator: { contact: 'your bot admin', loginUrl: '' },
    audit: (entry: object) => done.push(['audit', entry]),
    access: { isForAll: async () => true, rules: { channels: [] }, groupChanged: notes('group changed') },
    lookups: {
      read: notes('read', ready),
      readAnew: notes('anew', ready),
      cached: notes('cached', ready),
      find: notes('find', { askedBy: 'U1' }),
      ...acceptingOnce(notes('accept')),
      cancel: notes('cancel'),
    },
    history: {
      record: async () => undefined,
      changesSince: async () => undefined,
      nameOf: async () => undefined,
    },
    owners: { of: async () => undefined },
    responses: {
      post: notes('post', {}),
      tell: notes('tell', true),
      show: notes('show', true),
      remove: notes('remove'),
    },
    poster: { post: notes('posted', { channel: 'C1', ts: '3.3' }) },
    windows: unsignedWindows(),
    ...{ dispatcher: UPLOADS, slack: { checkHost() {} } },
    waitingMessages: { find: async () => undefined },
    join: notes('join', 'joined'),
    following: UNFOLLOWED,
    acceptances: NONE_ACCEPTED,
    loginHealth: async () => ({ state: 'not-needed' }),
    erasure: { ofUser: notes('erased'), ofEverything: notes('erased') },
    admins: [],
    ...changes,
  };
  return context as unknown as ListenerContext;
}

function clickOf(
  action_id: string,
  {
    value,
    blockId = '',
    option,
    user = 'U1',
    trigger = `trigger of ${user}`,
    container,
    view,
    message,
  }: Click,
) {
  const action = { action_id, value, block_id: blockId, selected_option: { value: option } };
  const where = { container: container ?? CLICKED, channel: { id: 'C1' } };
  const body = {
    ...where,
    user: { id: user },
    trigger_id: trigger,
    response_url: RESPONSE_URL,
    view,
    message,
  };
  return { action, body, payload: action };
}

function submissionOf({
  values = {},
  metadata = '',
  blocks = [],
  viewId = 'V1',
  hash,
  more,
  isAcknowledged,
}: Submitted) {
  const view = { id: viewId, hash, private_metadata: metadata, state: { values }, blocks };
  const context = { received: { isAcknowledged: () => isAcknowledged === true } };
  return { view, context, body: { user: { id: 'U1' }, trigger_id: 'a trigger', view, ...more } };
}

function commandOf(text: string) {
  const who = { channel_id: 'C1', user_id: 'U1', trigger_id: 'a trigger' };
  return { ...who, command: '/snapshot', text, response_url: RESPONSE_URL };
}
