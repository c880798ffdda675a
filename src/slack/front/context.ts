import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { SnapshotId } from '../../core/diagnostics.ts';
import type { Asked, Audit } from '../../core/lookup.ts';
import type { Retention, Store } from '../../core/store.ts';
import type { Precedence } from '../../core/time.ts';
import { Devices } from '../../lookups/devices.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { BackgroundReads, Lookups } from '../../lookups/lookups.ts';
import { People } from '../../lookups/people.ts';
import type { Follow, JobQueue } from '../../lookups/queue.ts';
import type { LoginHealth } from '../../service/session.ts';
import { Poster } from '../delivery/poster.ts';
import { ResponseUrlPoster } from '../delivery/response-url-poster.ts';
import { WaitingMessages } from '../delivery/waiting-messages.ts';
import type { Operator } from '../report/faults.ts';
import type { StatusReport } from '../report/help.ts';
import { Access, type AccessRules, fairShare } from './access.ts';
import type { SlackApp } from './slack-app.ts';
import { slackFacts } from './slack-facts.ts';

/** What the app passes to its Slack part. */
export type Given = {
  readonly slack: SlackApp;
  readonly dispatcher: Dispatcher;
  readonly store: Store;
  readonly followQueue: JobQueue<Follow>;
  readonly backgroundReads: BackgroundReads;
  readonly precedence: Precedence;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: () => number;
  readonly operator: Operator;
  readonly rules: AccessRules;
  /** The ids of the users who may see the status of the bot. */
  readonly admins: readonly string[];
  readonly commandsPerMinute: number;
  /** The host names of the service, by which the bot recognizes links to snapshots. */
  readonly serviceHosts: readonly string[];
  readonly retention: Retention;
  /** Whether the bot previews pasted links. */
  readonly unfurl: boolean;
  /** How long a day lasts for follows; tests make it shorter. Milliseconds. */
  readonly dayMs: number;
  /** A wait of at least this length ends with a message of its own, which notifies people. Milliseconds. */
  readonly notifyAfterMs: number;
  /** Deletes stored data when a user account or the installation is removed. Each function throws `storage-failed`. */
  readonly erasure: {
    readonly ofUser: (user: string) => Promise<void>;
    readonly ofEverything: () => Promise<void>;
  };
  readonly countFollow: (outcome: string) => void;
  /** Called with the outcome of each delivery. `kind`: the `DeliveryKind` of the delivery. */
  readonly onDelivery: (kind: string, outcome: 'served' | 'refused' | 'failed') => void;
  /** Called when a listener failed because of a bug, with the reference that the person was told. */
  readonly onBug: (reference: string) => void;
  /** Called when Slack refused a final answer in every place where it could be posted. */
  readonly onUndeliverable: () => void;
};

/** Makes the parts that features and listeners share, and that work without lookups. */
export function featureParts(given: Given) {
  const { slack, store, dispatcher, rules, retention, logger, now } = given;
  const { client, identity } = slack;
  const { historyMs } = retention;
  const devices = new Devices({
    namespace: store.namespace('devices'),
    historyMs,
    workspace: async () => (await identity()).team,
    now,
    onError: (error) => logger.warn({ err: error }, 'what is kept of a device could not be read or stored'),
  });
  return {
    ...given,
    client,
    leases: store.leases,
    access: new Access(rules, identity, slackFacts({ client, logger, now })),
    fairShare: fairShare({ perMinute: given.commandsPerMinute, now }),
    poster: new Poster(client, (error) =>
      logger.error({ err: error }, 'Slack refused the blocks of a message'),
    ),
    responses: new ResponseUrlPoster(dispatcher, slack.checkHost),
    waitingMessages: new WaitingMessages(store.namespace('waiting-messages')),
    devices,
    people: new People({ namespace: store.namespace('people'), devices, historyMs, now }),
  };
}
export type FeatureParts = ReturnType<typeof featureParts>;

/** An entry in a person's list of follows. `what`: which news it reports; '' for a reminder at a set time. */
export type Followed = Pick<Follow, 'id' | 'kind' | 'origin' | 'host' | 'device' | 'until'> & {
  readonly snapshotId: SnapshotId;
  readonly what: string;
};

/** The list of follows. Its functions throw `storage-failed`. */
export type Following = {
  /** A sentence that says why this person can't follow a snapshot now; undefined if they can. */
  readonly refusal: (user: string, snapshotId: SnapshotId) => Promise<string | undefined>;
  /** Ends a person's follows of a snapshot, and returns the reply. */
  readonly stop: (user: string, snapshotId: SnapshotId) => Promise<string>;
  /** A person's follows, the latest first. */
  readonly of: (user: string) => Promise<readonly Followed[]>;
};

/** What every listener can use. */
export type ListenerContext = FeatureParts & {
  readonly lookups: Lookups;
  /** Adds a result that a person read in a window to their lookups. Does not throw. */
  readonly noteAlone: (user: string, channel: string, asked: Asked, answers: Answers) => Promise<void>;
  readonly following: Following;
  /** The state of the login to the service, without a request to it. Throws `storage-failed`. */
  readonly loginHealth: () => Promise<LoginHealth>;
  /** The report of the `status` command. Does not throw. */
  readonly status: () => Promise<StatusReport>;
};
