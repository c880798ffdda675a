import type { types, webApi } from '@slack/bolt';
import { isSnapshotId } from '../../../core/diagnostics.ts';
import { fault, isFault } from '../../../core/faults.ts';
import { idsText } from '../../../core/lookup.ts';
import type { OwnedDevice, RecentLookup } from '../../../lookups/people.ts';
import type { LoginHealth } from '../../../service/session.ts';
import { ACTION } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { modal } from '../../blocks/modal.ts';
import { isAllowedChannel } from '../../front/access.ts';
import type { FeatureParts, Followed, ListenerContext } from '../../front/context.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { windowAt } from '../../front/windows.ts';
import { deviceRow, findingsOf, worstFirst } from '../../report/devices.ts';
import { faultText, type Operator } from '../../report/faults.ts';
import { commandsWindow } from '../../report/help.ts';
import { counted, joined } from '../../report/words.ts';
import { recents } from './recent-lookups.ts';

/** The prefix of the action ids that end a follow; the snapshot's id makes each of them unique. */
const STOP_ACTION = 'stop-';
/** The most devices on the tab, because Slack allows 100 blocks in all; a window lists all devices. */
const MOST_WORST = 8;
const MOST_OWNED = 12;
const DATE = '{date_short_pretty} at {time}';

/** The Home tab. It is drawn each time a person opens it, without requests to the service. */
export function home(parts: FeatureParts): Feature & Pick<ListenerContext, 'noteAlone'> {
  return {
    ...recents(parts),
    listen: (on, context) => {
      on.event('app_home_opened', async ({ event }) => {
        if (event.tab === 'home') await publish({ user: event.user, context });
      });
      on.click(new RegExp(`^${STOP_ACTION}`), 'read', async (press) => {
        if (isSnapshotId(press.value)) await context.following.stop(press.user, press.value);
        await publish(press);
      });
      on.click(ACTION.commands, 'read', (press) =>
        windowAt(press)(commandsWindow(press.value, context.admins.includes(press.user))),
      );
      on.click(ACTION.myLookups, 'read', async (press) => {
        const { lookups } = await context.people.of(press.user);
        const blocks = await lookupBlocks(lookups, context.client, context);
        await windowAt(press)(modal({ title: 'My last lookups' }, blocks));
      });
    },
  };
}

type Reader = Pick<Interaction, 'user' | 'context'>;

/** Draws the tab: problems of the bot, how to ask, and what the reader owns, follows and looked up. */
export async function publish({ user, context }: Reader): Promise<void> {
  const { client } = context;
  const { loginHealth, operator, following, people } = context;
  const reading = Promise.all([loginHealth(), people.of(user), following.of(user)]);
  const [login, person, followed = []] = await reading.catch((error: unknown) => {
    if (!isFault(error)) throw error;
    return [];
  });
  const { devices = [], lookups } = person ?? {};
  const owned = devices.filter(({ owner }) => owner?.user === user).slice(0, MOST_OWNED);
  const [mine, follows, last] = await Promise.all([
    Promise.all(owned.map((each) => ownedBlocks(each, client))),
    Promise.all(followed.map((each) => followedBlocks(each, client))),
    lookups === undefined ? [] : lookupBlocks(lookups, client, context),
  ]);
  const trouble = troubleIn(login, operator);
  const lookUp: types.Button = { ...ui.button('Look up…', ACTION.lookUp, 'home'), style: 'primary' };
  const blocks = ui.present<types.KnownBlock>(
    trouble && { type: 'section', text: { type: 'mrkdwn', text: `⚠ ${trouble}`, verbatim: true } },
    ui.actions([lookUp, ui.button('Help', ACTION.commands, '/snapshot')]),
    ...listed('Mine', mine.flat()),
    ...listed('Following', follows.flat()),
    ...listed('My devices', deviceBlocks(devices)),
    ...listed('My last lookups', last),
  );
  await client.views.publish({ user_id: user, view: { type: 'home', blocks } });
}

function listed(title: string, blocks: readonly types.KnownBlock[]): types.KnownBlock[] {
  return blocks.length === 0 ? [] : [ui.header(title), ...blocks];
}

async function ownedBlocks(device: OwnedDevice, client: webApi.WebClient): Promise<types.KnownBlock[]> {
  const { snapshotId, host, serial, owner, report } = device;
  const { mark, said } = findingsOf(device);
  const name = await named(mark, snapshotId, host || serial, report, client);
  const handOver = `${ACTION.handOver}-${snapshotId}`;
  return [
    ui.richText(name, [ui.words(`${said} · `), ui.day(owner?.since ?? 0, 'mine since')]),
    ui.actions([ui.button('Hand over…', handOver, snapshotId, `snapshot ${snapshotId}`)]),
  ];
}

async function followedBlocks(followed: Followed, client: webApi.WebClient): Promise<types.KnownBlock[]> {
  const { snapshotId, host, what, until, origin } = followed;
  const [start, form] = what === '' ? ['Reminder: ', DATE] : ([`${what} · until `, '{date_long}'] as const);
  const end = [ui.words(start), ui.moment(until, form)];
  const message = { channel: origin.channel, ts: origin.messageTs };
  return [
    ui.richText(await named('', snapshotId, host, message, client), end),
    ui.actions([ui.button('Stop', `${STOP_ACTION}${snapshotId}`, snapshotId, `following ${snapshotId}`)]),
  ];
}

function deviceBlocks(devices: readonly OwnedDevice[]): types.KnownBlock[] {
  if (devices.length === 0) return [];
  const search = ui.button(`Search ${counted(devices.length, 'device')}…`, ACTION.devices);
  return [...worstFirst(devices).slice(0, MOST_WORST).map(deviceRow), ui.actions([search])];
}

/** The last lookups, newest first, without those from conversations where the bot is no longer allowed. */
async function lookupBlocks(
  lookups: readonly RecentLookup[],
  client: webApi.WebClient,
  { access }: ListenerContext,
): Promise<types.KnownBlock[]> {
  const allowed = lookups.filter(({ channel }) => isAllowedChannel(channel, access.rules));
  if (allowed.length === 0) return [ui.line('Nothing in the last few days.')];
  const block = async (recent: RecentLookup) => {
    const { mark, device, findings, askedAt } = recent;
    const name = await named(mark, idsText(recent), device, recent, client);
    return ui.richText(name, [ui.words(`${findings} · `), ui.moment(askedAt, DATE)]);
  };
  return Promise.all(allowed.map(block));
}

/** A line such as `🔴 1001 · edge-7.example.com`, linked to its message. The device's name can't add formatting. */
async function named(
  mark: string,
  ids: string,
  device: string,
  message: { readonly channel: string; readonly ts?: string | undefined } | undefined,
  { chat }: webApi.WebClient,
): Promise<ui.RichElement[]> {
  const text = joined(' · ', ids, device);
  const start = mark === '' ? [] : [ui.words(`${mark}\u00a0`)];
  const { channel = '', ts: message_ts } = message ?? {};
  const found = message_ts && (await chat.getPermalink({ channel, message_ts }).catch(() => undefined));
  const url = found ? found.permalink : undefined;
  if (url === undefined) return [...start, ui.words(text, { bold: true })];
  return [...start, { type: 'link', url, text, style: { bold: true } }];
}

/** A sentence about a problem with the bot's storage or its login to the service; undefined if all is well. */
function troubleIn(login: LoginHealth | undefined, operator: Operator): string | undefined {
  if (login === undefined) return faultText(fault('storage-failed', {}), operator);
  if (login.state === 'mismatched') return faultText(login.fault, operator);
  if (login.state !== 'refused') return undefined;
  const next = `I log in again no earlier than ${ui.slackClock(login.until)}.`;
  return `The service rejected the bot’s account, or its session. Ask ${operator.contact} to check it at <${operator.loginUrl}>. ${next}`;
}
