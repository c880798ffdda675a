import { createHmac, timingSafeEqual } from 'node:crypto';
import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

const SIGNED = /^(.+),"signature":"([\w-]{43})"\}$/s;

/** The bot's windows. What they carry says where they may post, so it is signed, with a secret that all replicas share. */
export class Windows {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('windows').digest();
  }

  /** Opens a window, or pushes it onto the one that is open; gives its id. */
  async show(
    client: webApi.WebClient,
    trigger_id: string,
    view: types.ModalView,
    how: 'open' | 'push' = 'open',
  ): Promise<string | undefined> {
    const shown = { trigger_id, view: this.signed(view) };
    const { view: opened } = await (how === 'open' ? client.views.open(shown) : client.views.push(shown));
    return opened?.id;
  }

  /** Shows something else in a window; false if it is no longer open. */
  update(client: webApi.WebClient, viewId: string | undefined, view: types.ModalView): Promise<boolean> {
    return updateView(client, viewId, this.signed(view));
  }

  /** The window with a signature as the last field of its metadata, if it has any. */
  signed(view: types.ModalView): types.ModalView {
    const { private_metadata: json = '' } = view;
    if (json === '') return view;
    return { ...view, private_metadata: `${json.slice(0, -1)},"signature":"${this.#signatureOf(json)}"}` };
  }

  /** Whether the metadata of a window holds only what the bot has written. */
  isGenuine(carried: string): boolean {
    if (carried === '') return true;
    const [, fields, signature = ''] = SIGNED.exec(carried) ?? [];
    if (fields === undefined) return false;
    return timingSafeEqual(Buffer.from(this.#signatureOf(`${fields}}`)), Buffer.from(signature));
  }

  #signatureOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

/** Shows something else in a window, where it carries nothing; false if it is no longer open. */
export async function updateView(
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
