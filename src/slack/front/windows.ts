import { createHmac, timingSafeEqual } from 'node:crypto';
import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';
import type { Delivery } from './delivery.ts';

const SIGNED = /^(.+),"signature":"([\w-]{43})"\}$/s;

/** The window that is open already, or what Slack opens one for; a window can be pushed onto another one. */
type Where = {
  /** Whose window it is. */
  readonly user: string;
  readonly client: webApi.WebClient;
  readonly viewId?: string | undefined;
  readonly triggerId?: string;
  readonly how?: 'open' | 'push';
};

/** Shows something in a window; false if somebody has closed it. */
export type Show = (view: types.ModalView) => Promise<boolean>;

/**
 * The bot's windows. What they carry says where they may post, so it is signed for their kind and the one who sees them,
 * with a secret that all replicas share.
 */
export class Windows {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('windows').digest();
  }

  /**
   * One window: opened for the first view that is shown, unless it is open, and changed after that. A view that carries
   * nothing of its own carries `metadata`.
   */
  at({ client, user, triggerId, viewId, how }: Where, metadata?: string): Show {
    let openId = viewId;
    let isOpen = triggerId === undefined;
    return async (view) => {
      const signed = this.signed(
        metadata === undefined ? view : { private_metadata: metadata, ...view },
        user,
      );
      if (isOpen) return updateView(client, openId, signed);
      isOpen = true;
      const shown = { trigger_id: triggerId ?? '', view: signed };
      const { view: opened } = await (how === 'push' ? client.views.push(shown) : client.views.open(shown));
      openId = opened?.id;
      return true;
    };
  }

  /** The window with a signature as the last field of its metadata, if it has any. */
  signed(view: types.ModalView, user: string): types.ModalView {
    const { private_metadata: json = '', callback_id: kind = '' } = view;
    if (json === '') return view;
    return {
      ...view,
      private_metadata: `${json.slice(0, -1)},"signature":"${this.#signatureOf(json, kind, user)}"}`,
    };
  }

  /** Whether a window carries only what the bot has written for such a window of this person. */
  isGenuine(
    { callback_id: kind, private_metadata: carried }: NonNullable<Delivery['window']>,
    user: string,
  ): boolean {
    if (carried === '') return true;
    const [, fields, signature = ''] = SIGNED.exec(carried) ?? [];
    if (fields === undefined) return false;
    return timingSafeEqual(Buffer.from(this.#signatureOf(`${fields}}`, kind, user)), Buffer.from(signature));
  }

  #signatureOf(...texts: string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(texts)).digest('base64url');
  }
}

/** Shows something else in a window, where it carries nothing; false if it is no longer open. */
async function updateView(
  client: webApi.WebClient,
  viewId: string | undefined,
  view: types.ModalView,
): Promise<boolean> {
  try {
    await client.views.update({ view_id: viewId ?? '', view });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
    return false;
  }
}
