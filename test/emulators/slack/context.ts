import type { DeliverySender } from './delivery-sender.ts';
import type { PlannedFaults } from './faults.ts';
import type { Files } from './files.ts';
import type { Journal } from './journal.ts';
import type { Rates } from './rates.ts';
import type { Refusals } from './refusals.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Sockets } from './sockets.ts';
import type { Triggers } from './triggers.ts';
import type { Unfurls } from './unfurls.ts';
import type { Views } from './views.ts';
import type { Workspace } from './workspace.ts';

/** The secrets that bot and Slack share. */
interface Secrets {
  readonly signingSecret: string;
  readonly botToken: string;
  readonly appToken: string;
}

/** All parts of the emulator, for functions that need several of them. */
export interface Context {
  readonly now: () => number;
  readonly isGrid: boolean;
  readonly secrets: Secrets;
  readonly scopes: ReadonlySet<string>;
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly triggers: Triggers;
  readonly views: Views;
  readonly responseUrls: ResponseUrls;
  readonly unfurls: Unfurls;
  readonly files: Files;
  readonly planned: PlannedFaults;
  readonly rates: Rates;
  readonly refusals: Refusals;
  readonly sockets: Sockets;
  readonly sender: DeliverySender;
  /** The ids of the members of each user group, by its id. */
  readonly userGroups: Map<string, readonly string[]>;
}
