import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { SnapshotId } from '../../core/diagnostics.ts';
import type { Precedence } from '../../core/event-loop.ts';
import type { Asked, Audit } from '../../core/lookup.ts';
import type { Retention, Store } from '../../core/store.ts';
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

/** What the bot gives its Slack side. */
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
  /** Ids of the users who may see the status report. */
  readonly admins: readonly string[];
  readonly commandsPerMinute: number;
  /** The hosts that links to snapshots lead to, without ports. */
  readonly serviceHosts: readonly string[];
  readonly retention: Retention;
  /** Whether pasted links are previewed. */
  readonly unfurl: boolean;
  /** The length of a day for follows. Milliseconds. */
  readonly dayMs: number;
  /** From this length on, the end of a wait gets a message of its own. Milliseconds. */
  readonly notifyAfterMs: number;
  /** Deletes stored data when an account or the installation ends. Both throw `storage-failed`. */
  readonly erasure: {
    readonly ofUser: (user: string) => Promise<void>;
    readonly ofEverything: () => Promise<void>;
  };
  readonly countFollow: (outcome: string) => void;
  /** Called with the outcome of each delivery; `kind` is that of its entry point. */
  readonly onDelivery: (kind: string, outcome: 'served' | 'refused' | 'failed') => void;
  /** Called with the reference that a person was given for a bug in a listener. */
  readonly onBug: (reference: string) => void;
  /** Called with each final answer that Slack refused everywhere. */
  readonly onUndeliverable: () => void;
};

/** Makes what features and listeners share, before anything can be looked up. */
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

/** An entry in a person's list of follows. `what`: what it tells about; '' for a time. */
export type Followed = Pick<Follow, 'id' | 'kind' | 'origin' | 'host' | 'device' | 'until'> & {
  readonly snapshotId: SnapshotId;
  readonly what: string;
};

/** Who follows what. Its functions throw `storage-failed`. */
export type Following = {
  /** Why this person can't follow a snapshot now, as a sentence; undefined if they can. */
  readonly refusal: (user: string, snapshotId: SnapshotId) => Promise<string | undefined>;
  /** Ends what a person follows, and gives what to say to that. */
  readonly stop: (user: string, snapshotId: SnapshotId) => Promise<string>;
  /** What a person follows, the latest first. */
  readonly of: (user: string) => Promise<readonly Followed[]>;
};

/** What every listener works with. */
export type ListenerContext = FeatureParts & {
  readonly lookups: Lookups;
  /** Lists a lookup whose answer one person read in a window. Does not throw. */
  readonly noteAlone: (user: string, channel: string, asked: Asked, answers: Answers) => Promise<void>;
  readonly following: Following;
  /** The state of the service's login, without a request. Throws `storage-failed`. */
  readonly loginHealth: () => Promise<LoginHealth>;
  /** Does not throw. */
  readonly status: () => Promise<StatusReport>;
};
