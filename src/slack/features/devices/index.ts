import { isSnapshotId } from '../../../core/diagnostics.ts';
import { readSearch } from '../../../core/searching.ts';
import { UnreadableValue } from '../../blocks/action-values.ts';
import { noticeModal } from '../../blocks/modal.ts';
import { accept } from '../../front/accept.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { type Show, windowAt } from '../../front/windows.ts';
import { AGAIN_ACTION, DEVICES_ACTION, DEVICES_VIEW, devicesWindow } from '../../report/devices.ts';
import { SEARCH_FIELD } from '../../report/list.ts';
import { searchAll } from './search.ts';

/** The devices that a person looked up, in a window of that person alone. */
export const devices: Feature = {
  listen: (on) => {
    on.click(DEVICES_ACTION, { home: 'read' }, (press) => showAll(press, windowAt(press)));
    on.form(DEVICES_VIEW, 'read', (form) => {
      const search = readSearch(form.field(SEARCH_FIELD));
      const { client, body } = form;
      const all = () => showAll(form, windowAt({ client, viewId: body.view?.id }));
      const work = () => (search.length === 0 ? all() : searchAll(form, search));
      return { view: noticeModal('Searching the last analysis of each device…'), work };
    });
    on.asking(new RegExp(`^${AGAIN_ACTION}`), { home: 'ask', window: 'ask' }, lookUpAgain);
  },
};

async function showAll({ user, context: { people } }: Interaction, show: Show): Promise<void> {
  await show(devicesWindow((await people.of(user)).devices, user));
}

/** What is asked for in a list of one's own is answered directly; a window says so. */
async function lookUpAgain(press: Interaction, acknowledge: () => Promise<void>): Promise<void> {
  const { user, value, triggerId, client, body, context } = press;
  if (!isSnapshotId(value)) throw new UnreadableValue();
  const asked = { question: { snapshotId: value, set: 'all' } } as const;
  const entry = { deliveryId: triggerId, destination: { channel: user, user }, acknowledge };
  const how = body.view?.type === 'home' ? 'open' : 'push';
  await accept(asked, entry, context);
  const said = `I’m looking up snapshot ${value}, and answer you in a direct message.`;
  await windowAt({ client, triggerId, how })(noticeModal(said));
}
