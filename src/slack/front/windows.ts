import { createHmac, timingSafeEqual } from 'node:crypto';
import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

/** Tells what the bot has written from what was made up. */
type Signature = {
  /** The text of a JSON object with a signature as its last field. */
  readonly sign: (json: string) => string;
  readonly isSigned: (json: string) => boolean;
};

const SIGNED = /^(.+),"signature":"([\w-]{43})"\}$/s;

/** Signs with a secret that all replicas share. */
export function signatureBy(secret: string): Signature {
  const key = createHmac('sha256', secret).update('windows').digest();
  const of = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign: (json) => `${json.slice(0, -1)},"signature":"${of(json)}"}`,
    isSigned: (json) => {
      const [, fields, signature = ''] = SIGNED.exec(json) ?? [];
      return fields !== undefined && timingSafeEqual(Buffer.from(of(`${fields}}`)), Buffer.from(signature));
    },
  };
}

/** The bot's windows. What they carry says where they may post, so it is signed. */
export class Windows {
  readonly #signature: Signature;

  constructor(signature: Signature) {
    this.#signature = signature;
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

  /** The window with its metadata signed, if it has any. */
  signed(view: types.ModalView): types.ModalView {
    const { private_metadata: carried = '' } = view;
    return carried === '' ? view : { ...view, private_metadata: this.#signature.sign(carried) };
  }

  /** Whether the metadata of a window holds only what the bot has written. */
  isGenuine(carried: string): boolean {
    return carried === '' || this.#signature.isSigned(carried);
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
