import { webApi } from '@slack/bolt';
import { z } from 'zod';
import { Remembered } from './remembered.ts';

/** What Slack knows of a person beyond what a delivery holds. */
export type Person = {
  /** The workspaces that the person belongs to; in an Enterprise Grid organisation there may be several. */
  readonly teams: readonly string[];
  /** The Enterprise Grid organisation, if the person belongs to one. */
  readonly enterprise: string | undefined;
  /** Whether the person is a guest, invited from outside to some channels. */
  readonly isGuest: boolean;
};

type LookingUp = {
  readonly client: webApi.WebClient;
  readonly now: () => number;
  readonly onError: (error: unknown, key: string) => void;
};

const TTL_MS = 5 * 60_000;
/** Errors that mean the bot may not ask about this; they will not change soon. */
const NOT_TOLD = [
  'missing_scope',
  'user_not_found',
  'user_not_visible',
  'channel_not_found',
  'no_permission',
];

const info = z.object({
  team_id: z.string(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  enterprise_user: z.object({ enterprise_id: z.string(), teams: z.array(z.string()).default([]) }).optional(),
});

/** People by `users.info`; 'hidden' if Slack does not let the bot ask (the scope users:read is optional). */
export function peopleOf({ client, now, onError }: LookingUp): Remembered<Person | 'hidden'> {
  const ask = async (user: string): Promise<Person> => {
    const { team_id, is_restricted, is_ultra_restricted, enterprise_user } = info.parse(
      (await client.users.info({ user })).user,
    );
    return {
      teams: [team_id, ...(enterprise_user?.teams ?? [])],
      enterprise: enterprise_user?.enterprise_id,
      isGuest: is_restricted === true || is_ultra_restricted === true,
    };
  };
  return new Remembered({ ask: (user) => orHidden(() => ask(user)), ttlMs: TTL_MS, now, onError });
}

/** Whether a conversation is shared with another company; 'hidden' where Slack does not let the bot ask. */
export function sharedChannelsOf({ client, now, onError }: LookingUp): Remembered<boolean | 'hidden'> {
  const ask = async (channel: string): Promise<boolean> => {
    const { channel: found } = await client.conversations.info({ channel });
    return found?.is_ext_shared === true;
  };
  return new Remembered({ ask: (channel) => orHidden(() => ask(channel)), ttlMs: TTL_MS, now, onError });
}

async function orHidden<T>(ask: () => Promise<T>): Promise<T | 'hidden'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof webApi.WebAPIPlatformError && NOT_TOLD.includes(error.data.error)) return 'hidden';
    throw error;
  }
}
