import { z } from 'zod';
import { VIEWERS } from './page-target.ts';

const user = z.enum(VIEWERS);
const onMessage = z.object({ channel: z.string(), ts: z.string() });

/** Everything that a person can do on the page. */
export const action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), user, channel: z.string(), line: z.string().max(3_000) }),
  z.object({
    kind: z.literal('say'),
    user,
    channel: z.string(),
    line: z.string().max(3_000),
    threadTs: z.string().optional(),
  }),
  z.object({
    kind: z.literal('click'),
    user,
    actionId: z.string(),
    value: z.string().optional(),
    message: onMessage.optional(),
    /** The link of the message under which it stands. */
    link: z.string().optional(),
    view: z.string().optional(),
  }),
  z.object({
    kind: z.literal('submit'),
    user,
    view: z.string(),
    values: z.record(z.string(), z.string()),
  }),
  z.object({ kind: z.literal('close'), user, view: z.string() }),
  z.object({ kind: z.literal('shortcut'), user, callbackId: z.string(), message: onMessage.optional() }),
  z.object({ kind: z.literal('panel'), user, message: onMessage, link: z.string() }),
  z.object({ kind: z.literal('remove'), user, message: onMessage }),
  z.object({ kind: z.literal('home'), user }),
  z.object({ kind: z.literal('invite'), user, channel: z.string(), isIn: z.boolean() }),
  z.object({ kind: z.literal('reload'), user }),
  z.object({ kind: z.literal('redeliver'), user }),
  z.object({
    kind: z.literal('switch'),
    user,
    name: z.enum(['loginRefused', 'slow', 'resets', 'slack429']),
    isOn: z.boolean(),
  }),
  z.object({ kind: z.literal('expire'), user }),
  z.object({ kind: z.literal('tour'), user }),
  z.object({ kind: z.literal('bot'), user, what: z.enum(['kill', 'start']) }),
]);

export type Action = z.infer<typeof action>;

type WithoutUser<T> = T extends unknown ? Omit<T, 'user'> : never;

/** An action of the person who looks at the page. */
export type OwnAction = WithoutUser<Action>;
