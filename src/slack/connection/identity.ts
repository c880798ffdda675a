import type { webApi } from '@slack/bolt';

/** The bot's identity in Slack. */
export type Identity = {
  readonly user: string;
  /** The workspace that the bot is installed in. */
  readonly teams: readonly string[];
  /** The Enterprise Grid organisation that the workspace belongs to, if it does. */
  readonly enterprise?: string;
};

/** Asks Slack once; a failure is not cached. Throws what Slack's client throws. */
export function identityThrough(client: webApi.WebClient): () => Promise<Identity> {
  let known: Promise<Identity> | undefined;
  return () => {
    known ??= ask(client).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function ask(client: webApi.WebClient): Promise<Identity> {
  const { user_id = '', team_id, enterprise_id } = await client.auth.test();
  return {
    user: user_id,
    teams: team_id ? [team_id] : [],
    ...(enterprise_id ? { enterprise: enterprise_id } : {}),
  };
}
