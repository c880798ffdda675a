import type { types, webApi } from '@slack/bolt';
import { codeOf } from '../delivery/slack-errors.ts';

/** Shows something else in a modal; false if it is no longer open. */
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
