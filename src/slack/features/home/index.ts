import type { types, webApi } from '@slack/bolt';
import { isSnapshotId } from '../../../core/diagnostics.ts';
import { isFault } from '../../../core/faults.ts';
import { type KnownDevice, type OwnedDevice, type RecentLookup, subjectOf } from '../../../lookups/people.ts';
import type { LoginHealth } from '../../../service/session.ts';
import {
  actions,
  button,
  header,
  moment,
  type RichElement,
  richText,
  slackClock,
  words,
} from '../../blocks/blocks.ts';
import { modal } from '../../blocks/modal.ts';
import { isAllowedChannel } from '../../front/access.ts';
import type { FeatureParts, Followed, ListenerContext, NoteAlone } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { windowAt } from '../../front/windows.ts';
import { DEVICES_ACTION, deviceRow, ownedRow, UNASSIGN_ACTION, worstFirst } from '../../report/devices.ts';
import { faultSentence, type Operator } from '../../report/faults.ts';
import { COMMANDS_ACTION, commandsWindow, LOOK_UP_ACTION, MY_LOOKUPS_ACTION } from '../../report/help.ts';
import { counted } from '../../report/words.ts';
import { noteAloneWith, noteLookup } from './recent-lookups.ts';

/** Ends what the reader follows; the snapshot's id stands behind it, so that each button has an id of its own. */
const STOP_ACTION = 'stop-';
const HELP_ACTION = 'home-help';
/** Of the devices; the window has all. */
const MOST_WORST = 10;
const DATE = '{date_short_pretty} at {time}';

/** Something that is listed, with the permalink of its message if there is one. */
type Linked<T> = T & { readonly permalink?: string | undefined };
type LinkedLookup = Linked<RecentLookup>;

type Home = {
  /** Like `login`, undefined when the bot can't read its own storage. */
  readonly lookups: readonly LinkedLookup[] | undefined;
  readonly login: LoginHealth | undefined;
  readonly mine: readonly Linked<KnownDevice>[];
  readonly followed: readonly Linked<Followed>[];
  readonly devices: readonly OwnedDevice[];
  readonly operator: Operator;
};

/** The Home tab: how to ask, what the reader owns, follows and looked up; above all, what is wrong. */
function homeView({ lookups, login, mine, followed, devices, operator }: Home): types.HomeView {
  const isUnreadable = lookups === undefined || login === undefined;
  const trouble = isUnreadable ? unreadable(operator) : troubleOf(login, operator);
  const lookUp: types.Button = { ...button('Look up…', LOOK_UP_ACTION, 'home'), style: 'primary' };
  return {
    type: 'home',
    blocks: [
      ...(trouble === undefined ? [] : [section(trouble)]),
      actions([lookUp, button('Help', HELP_ACTION)]),
      ...(mine.length === 0 ? [] : [header('Mine'), ...mine.map((each) => ownedRow(each, each.permalink))]),
      ...(followed.length === 0 ? [] : [header('Following'), ...followed.flatMap(followedBlocks)]),
      ...(devices.length === 0 ? [] : deviceBlocks(devices)),
      header('My last lookups'),
      ...lookupBlocks(lookups),
    ],
  };
}

function deviceBlocks(devices: readonly OwnedDevice[]): types.KnownBlock[] {
  const worst = worstFirst(devices).slice(0, MOST_WORST);
  const search = button(`Search ${counted(devices.length, 'device')}…`, DEVICES_ACTION);
  return [header('My devices'), ...worst.map(deviceRow), actions([search])];
}

function followedBlocks({
  snapshotId,
  host,
  what,
  kind,
  until,
  permalink,
}: Linked<Followed>): types.KnownBlock[] {
  const isTimed = kind === 'hour' || kind === 'tomorrow' || kind === 'week';
  const end = isTimed ? [moment(until, DATE)] : [words(`${what} · until `), moment(until, '{date_long}')];
  return [
    richText(named(snapshotId, host, permalink), end),
    actions([button('Stop', `${STOP_ACTION}${snapshotId}`, snapshotId, `Stop following ${snapshotId}`)]),
  ];
}

function lookupBlocks(lookups: Home['lookups']): types.KnownBlock[] {
  // The list could not be read: it may not be empty.
  if (lookups === undefined) return [richText([words('Not available right now.')])];
  if (lookups.length === 0) return [richText([words('Nothing in the last few days.')])];
  return lookups.map((recent) => {
    const { mark, findings, device, askedAt, permalink } = recent;
    const start = mark === '' ? [] : [words(`${mark}\u00a0`)];
    return richText(
      [...start, ...named(subjectOf(recent), device, permalink)],
      [words(`${findings} · `), moment(askedAt, DATE)],
    );
  });
}

/** `1001 · edge-7.example.com`, as a link to its message. The name of the device is text, whatever it is. */
function named(ids: string, device: string, url: string | undefined): RichElement[] {
  const text = device === '' ? ids : `${ids} · ${device}`;
  if (url === undefined) return [words(text, { bold: true })];
  return [{ type: 'link', url, text, style: { bold: true } }];
}

function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function unreadable({ contact }: Operator): string {
  return (
    '⚠ The bot can’t reach its own storage right now. Open this tab again in a minute. ' +
    `If it keeps happening, tell ${contact}.`
  );
}

/** What is wrong with the login to the service, if anything is. */
function troubleOf(login: LoginHealth, operator: Operator): string | undefined {
  if (login.state === 'refused')
    return (
      `⚠ The service rejected the bot’s account, or its session. Ask ${operator.contact} to check it at ` +
      `<${operator.loginUrl}>. I log in again no earlier than ${slackClock(login.until)}.`
    );
  if (login.state !== 'mismatched') return undefined;
  const { what, next } = faultSentence(login.fault, operator);
  return `⚠ ${what} ${next}`;
}

/** Publishes the Home tab each time it is opened. It does not ask the service. */
export function home(parts: FeatureParts): Feature & { readonly noteAlone: NoteAlone } {
  return {
    noteAlone: noteAloneWith(parts),
    hook: (event) => noteLookup(event, parts),
    listen: (on, context) => {
      on.event('app_home_opened', async ({ event, client }) => {
        if (event.tab === 'home') await publish(event.user, client, context);
      });
      on.click(new RegExp(`^${STOP_ACTION}`), { home: 'read' }, async ({ value, user, client }) => {
        if (isSnapshotId(value)) await context.following.stop(user, value);
        await publish(user, client, context);
      });
      on.click(new RegExp(`^${UNASSIGN_ACTION}`), { home: 'post' }, async ({ value, user, client }) => {
        await unassign(value, user, context);
        await publish(user, client, context);
      });
      const showCommands = (press: Interaction, command: string) =>
        windowAt(press)(commandsWindow(command, context.admins.includes(press.user)));
      on.click(HELP_ACTION, { home: 'read' }, (press) => showCommands(press, '/snapshot'));
      on.click(COMMANDS_ACTION, { message: 'read' }, (press) => showCommands(press, press.value));
      on.click(MY_LOOKUPS_ACTION, { message: 'read' }, async (press) => {
        const person = await orUndefined(() => context.people.of(press.user));
        const lookups = person && (await linkedLookups(person.lookups, press.client, context));
        await windowAt(press)(modal({ title: 'My last lookups' }, lookupBlocks(lookups)));
      });
    },
  };
}

async function publish(user: string, client: webApi.WebClient, context: ListenerContext): Promise<void> {
  const { loginHealth, operator, following, people } = context;
  const [person, login, followed = []] = await Promise.all([
    orUndefined(() => people.of(user)),
    orUndefined(loginHealth),
    orUndefined(() => following.of(user)),
  ]);
  const { owned = [], devices = [], lookups } = person ?? {};
  const messageOf = ({ origin: { channel, messageTs: ts } }: Followed) => ({ channel, ts });
  const view = homeView({
    lookups: lookups && (await linkedLookups(lookups, client, context)),
    login,
    mine: await Promise.all(owned.map((each) => linkedTo(each, each.report, client))),
    followed: await Promise.all(followed.map((each) => linkedTo(each, messageOf(each), client))),
    devices,
    operator,
  });
  await client.views.publish({ user_id: user, view });
}

/** Those that wait first, then the newest; those in conversations where the bot may no longer be used are left out. */
function linkedLookups(
  lookups: readonly RecentLookup[],
  client: webApi.WebClient,
  { access }: ListenerContext,
): Promise<LinkedLookup[]> {
  const isWaiting = ({ state }: RecentLookup) => Number(state === 'waiting');
  const allowed = lookups
    .filter(({ channel }) => isAllowedChannel(channel, access.rules))
    .toSorted((one, other) => isWaiting(other) - isWaiting(one));
  return Promise.all(allowed.map((each) => linkedTo(each, each, client)));
}

async function unassign(snapshotId: string, user: string, { people, devices, audit }: ListenerContext) {
  const owned = (await people.of(user)).owned.find((each) => each.snapshotId === snapshotId);
  if (owned === undefined) return;
  const { before } = await devices.setOwner(owned, (owner) => (owner?.user === user ? undefined : owner));
  if (before?.user === user) audit({ event: 'on it', user, snapshot: snapshotId, outcome: 'unassigned' });
}

async function linkedTo<T extends object>(
  each: T,
  message: { readonly channel: string; readonly ts?: string | undefined } | undefined,
  client: webApi.WebClient,
): Promise<Linked<T>> {
  if (message?.ts === undefined) return { ...each };
  const { channel, ts } = message;
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return { ...each, permalink: found?.permalink };
}

/** Undefined if it cannot be read; the Home tab says so. */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
