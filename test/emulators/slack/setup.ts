import { DeliverySender } from './delivery-sender.ts';
import { PlannedFaults } from './faults.ts';
import { Files } from './files.ts';
import { Journal } from './journal.ts';
import { Rates } from './rates.ts';
import { ResponseUrls } from './response-urls.ts';
import { smallCompany } from './seed.ts';
import { Sockets } from './sockets.ts';
import { Triggers } from './triggers.ts';
import { Unfurls } from './unfurls.ts';
import { echoOwnMessages } from './user-actions/say.ts';
import { Views } from './views.ts';
import { Workspace } from './workspace.ts';

/** Options of an emulator. */
export interface SlackOptions {
  /** The workspace's clock, in milliseconds. */
  readonly now?: () => number;
  readonly mode?: 'http' | 'socket';
  /** The scopes of the app; by default all that the bot's features need. */
  readonly scopes?: readonly string[];
  /** The domains of links that the app is notified about; default `service.example.com`. */
  readonly domains?: readonly string[];
  /** Whether the workspace belongs to an Enterprise Grid organisation with a second workspace. */
  readonly isGrid?: boolean;
  /** How many further members the workspace has: more0, more1 and so on. */
  readonly others?: number;
  /** How long an acknowledgement may take; default 3,000 ms, like Slack. */
  readonly ackLimitMs?: number;
}

/** Every scope that a feature of the bot may need. `chat:write.public` is left out on purpose. */
const ALL_SCOPES: readonly string[] = [
  'commands',
  'chat:write',
  'app_mentions:read',
  'im:history',
  'im:read',
  'im:write',
  'channels:history',
  'groups:history',
  'files:write',
  'channels:read',
  'groups:read',
  'users:read',
  'usergroups:read',
  'links:read',
  'links:write',
];

const DOMAINS = ['service.example.com'];

/** All parts of the emulator, for functions that need several of them. */
export type Context = ReturnType<typeof newContext>;

/** Makes the parts of an emulator and connects them. */
export function newContext(options: SlackOptions) {
  const { now = Date.now, mode = 'http', scopes = ALL_SCOPES, isGrid = false, others = 0 } = options;
  const { ackLimitMs = 3000 } = options;
  const secrets = {
    signingSecret: 'emulator-signing-secret',
    botToken: 'xoxb-emulator',
    appToken: 'xapp-emulator',
  };
  const journal = new Journal();
  const workspace = new Workspace(smallCompany({ isGrid, others }), journal, now);
  const sockets = new Sockets(journal);
  const settings = { mode, signingSecret: secrets.signingSecret, ackLimitMs };
  const sender = new DeliverySender(settings, sockets, journal, now);
  const context = {
    now,
    isGrid,
    secrets,
    scopes: new Set(scopes),
    workspace,
    journal,
    triggers: new Triggers(now, () => sender.running()),
    views: new Views(journal),
    unfurls: new Unfurls(options.domains ?? DOMAINS),
    responseUrls: new ResponseUrls(workspace, journal, now),
    files: new Files(journal),
    planned: new PlannedFaults(),
    rates: new Rates(now),
    sockets,
    sender,
    /** The ids of the members of each user group, by its id. */
    userGroups: new Map<string, readonly string[]>([['S0ONCALL', ['U0ANA']]]),
  };
  echoOwnMessages(context);
  return context;
}
