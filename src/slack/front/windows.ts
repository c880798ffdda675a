import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

/** The window that is open already, or what Slack opens one for; a window can be pushed onto another one. */
type Where = {
  readonly client: webApi.WebClient;
  readonly viewId?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly how?: 'open' | 'push';
};

/** Replaces the content of a window; false if it was closed, or shows what something else has put there since. */
export type Show = (view: types.ModalView) => Promise<boolean>;

/** Slack's codes for a window that was closed, and for one that was changed since. */
const OVER = ['not_found', 'hash_conflict'];

/**
 * One window: opened for the first view that is shown, unless it is open, and changed after that. A view that carries
 * nothing of its own carries `metadata`.
 */
export function windowAt({ client, triggerId = '', viewId, how = 'open' }: Where, metadata?: string): Show {
  let openId = viewId;
  let hash: string | undefined;
  return async (shown) => {
    const view = metadata === undefined ? shown : { private_metadata: metadata, ...shown };
    if (openId === undefined) {
      openId = '';
      const opened = await client.views[how]({ trigger_id: triggerId, view });
      openId = opened.view?.id ?? '';
      hash = opened.view?.hash;
      return true;
    }
    try {
      const updated = await client.views.update({
        view_id: openId,
        view,
        ...(hash !== undefined && { hash }),
      });
      hash = updated.view?.hash;
      return true;
    } catch (error) {
      if (!OVER.includes(codeOf(error) ?? '')) throw error;
      return false;
    }
  };
}
