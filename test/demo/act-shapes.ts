import { z } from 'zod';
import { VIEWERS } from './theatre.ts';

const user = z.enum(VIEWERS);
const onMessage = z.object({ channel: z.string(), ts: z.string() });

/** Everything that a person can do on the page. */
export const act = z.discriminatedUnion('act', [
  z.object({ act: z.literal('command'), user, channel: z.string(), line: z.string().max(3_000) }),
  z.object({
    act: z.literal('say'),
    user,
    channel: z.string(),
    line: z.string().max(3_000),
    threadTs: z.string().optional(),
  }),
  z.object({
    act: z.literal('click'),
    user,
    actionId: z.string(),
    value: z.string().optional(),
    message: onMessage.optional(),
    view: z.string().optional(),
  }),
  z.object({
    act: z.literal('submit'),
    user,
    view: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
  z.object({ act: z.literal('close'), user, view: z.string() }),
  z.object({ act: z.literal('shortcut'), user, callbackId: z.string(), message: onMessage.optional() }),
  z.object({ act: z.literal('home'), user }),
  z.object({ act: z.literal('invite'), user, channel: z.string(), isIn: z.boolean() }),
  z.object({ act: z.literal('reload'), user }),
  z.object({ act: z.literal('redeliver'), user }),
  z.object({
    act: z.literal('switch'),
    user,
    name: z.enum(['loginRefused', 'slow', 'resets', 'slack429']),
    isOn: z.boolean(),
  }),
  z.object({ act: z.literal('expire'), user }),
  z.object({ act: z.literal('bot'), user, what: z.enum(['kill', 'start']) }),
]);

export type Act = z.infer<typeof act>;

type WithoutUser<T> = T extends unknown ? Omit<T, 'user'> : never;

/** An act of whoever looks at the page. */
export type OwnAct = WithoutUser<Act>;
