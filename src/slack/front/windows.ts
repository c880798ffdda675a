import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

/** The window that is open already, or what Slack opens one for; a window can be pushed onto another one. */
type Where = {
  readonly client: webApi.WebClient;
  readonly viewId?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly how?: 'open' | 'push';
};

/** Replaces the content of a window; false if it was closed. */
export type Show = (view: types.ModalView) => Promise<boolean>;

/**
 * One window: opened for the first view that is shown, unless it is open, and changed after that. A view that carries
 * nothing of its own carries `metadata`.
 */
export function windowAt({ client, triggerId = '', viewId, how = 'open' }: Where, metadata?: string): Show {
  let openId = viewId;
  return async (shown) => {
    const view = metadata === undefined ? shown : { private_metadata: metadata, ...shown };
    if (openId === undefined) {
      openId = '';
      const opened = await client.views[how]({ trigger_id: triggerId, view });
      openId = opened.view?.id ?? '';
      return true;
    }
    try {
      await client.views.update({ view_id: openId, view });
      return true;
    } catch (error) {
      if (codeOf(error) !== 'not_found') throw error;
      return false;
    }
  };
}
