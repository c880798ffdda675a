import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

/** Shows something else in a modal that is open. Whoever has closed it meanwhile does not wait for it. */
export async function updateView(
  client: webApi.WebClient,
  viewId: string | undefined,
  view: types.ModalView,
): Promise<void> {
  try {
    await client.views.update({ view_id: viewId ?? '', view });
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
  }
}
