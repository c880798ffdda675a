import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { steadyClock } from '../core/time.ts';
import { DeviceHistory } from '../lookups/device-history.ts';
import type { Delivery } from '../lookups/lookup-status.ts';
import { completedAnswer } from './delivery/completed-answer.ts';
import { FileUploader } from './delivery/file-uploader.ts';
import { hooked } from './delivery/hooked-delivery.ts';
import { ownersOf } from './delivery/owners.ts';
import { Poster } from './delivery/poster.ts';
import { RateLimitedQueue } from './delivery/rate-limited-queue.ts';
import { ResponseUrlPoster } from './delivery/response-url-poster.ts';
import { SlackDelivery } from './delivery/slack-delivery.ts';
import { UpdateSender } from './delivery/update-sender.ts';
import { WaitingMessages } from './delivery/waiting-messages.ts';
import { featuresOf } from './features/index.ts';
import { type Access, type AccessRules, accessBy } from './front/access.ts';
import type { ListenerContext } from './front/context.ts';
import { fairShare } from './front/fair-share.ts';
import type { Feature, FeatureParts } from './front/feature.ts';
import type { SlackApp } from './front/slack-app.ts';
import { slackFacts } from './front/slack-facts.ts';
import { signatureBy, Windows } from './front/windows.ts';

type SlackSideOptions = Omit<FeatureParts, 'access' | 'history' | 'owners' | 'poster'> &
  Pick<ListenerContext, 'operator' | 'erasure' | 'onAcknowledged' | 'onDelivery' | 'onBug'> & {
    readonly slack: SlackApp;
    readonly dispatcher: Dispatcher;
    readonly rules: AccessRules;
    /** What replicas share and nobody else knows, to sign what windows carry: listeners don't get it. */
    readonly secret: string;
    readonly commandsPerMinute: number;
    /** Called with each final answer that Slack refused everywhere. */
    readonly onUndeliverable: () => void;
  };

/** Makes all parts that know Slack; starts nothing. What listeners need lacks the lookups, which need the delivery first. */
export function createSlackSide({ secret, ...options }: SlackSideOptions) {
  const { slack, store, dispatcher, rules, logger, now } = options;
  const responses = new ResponseUrlPoster(dispatcher, slack.checkHost);
  const waitingMessages = new WaitingMessages(store.namespace('waiting-messages'));
  const poster = new Poster({
    client: slack.messages,
    rateLimitedQueue: new RateLimitedQueue(),
    onRefusedContent: (error) => logger.error({ err: error }, 'Slack refused the blocks of a message'),
  });
  const steady = steadyClock(now);
  const access = createAccess(slack, rules, logger, steady);
  const sender = new UpdateSender({ poster, responses, identity: slack.identity, now });
  const delivery = createDelivery(options, { sender, waitingMessages, access });
  const history = historyOf(options);
  const owners = ownersOf(store, options.retention.historyMs);
  const { features, join, watching, accepting } = featuresOf({ ...options, access, history, owners, poster });
  const hooks = [completedAnswer(history), ...features.flatMap(({ hook = [] }) => hook)];
  const answers = hooked(delivery, hooks, (error) =>
    logger.error({ err: error }, 'a delivery hook failed because of a bug'),
  );
  return {
    delivery: withPreviews(answers, features),
    features,
    listening: {
      ...options,
      access,
      fairShare: fairShare({ perMinute: options.commandsPerMinute, now: steady }),
      client: slack.messages,
      leases: store.leases,
      poster,
      responses,
      files: new FileUploader(slack.messages, dispatcher, slack.checkHost),
      waitingMessages,
      history,
      owners,
      join,
      watching,
      accepting,
      windows: new Windows(signatureBy(secret)),
    },
  };
}

/** Lookups of pasted links are shown under these, and nothing follows on them. */
function withPreviews(answers: Delivery, features: readonly Feature[]): Delivery {
  const preview = features.find((feature) => feature.preview !== undefined)?.preview ?? answers.deliver;
  return {
    ...answers,
    deliver: (lookup, ...shown) =>
      lookup.destination.link === undefined ? answers.deliver(lookup, ...shown) : preview(lookup, ...shown),
  };
}

function createDelivery(
  { operator, logger, now, onUndeliverable }: Omit<SlackSideOptions, 'secret'>,
  {
    access,
    ...parts
  }: Pick<ListenerContext, 'access' | 'waitingMessages'> & { readonly sender: UpdateSender },
): SlackDelivery {
  return new SlackDelivery({
    ...parts,
    mayStillSee: ({ askedBy, destination }) => access.mayStillSee(askedBy, destination.channel),
    operator,
    now,
    onUndeliverable: (error, lookup) => {
      logger.error({ err: error, lookup: lookup.id }, 'Slack refused the answer to a lookup everywhere');
      onUndeliverable();
    },
  });
}

function historyOf({ slack, store, retention, logger }: Omit<SlackSideOptions, 'secret'>): DeviceHistory {
  return new DeviceHistory({
    namespace: store.namespace('device-reads'),
    historyMs: retention.historyMs,
    workspace: async () => (await slack.identity()).teams.join('-'),
    onError: (error) => logger.warn({ err: error }, 'the history of a device could not be read or stored'),
  });
}

function createAccess(slack: SlackApp, rules: AccessRules, logger: Logger, now: () => number): Access {
  const onError = (error: unknown, key: string) =>
    rules.userGroups.includes(key)
      ? logger.error(
          { err: error, group: key },
          'the members of a user group could not be read: check its id in ALLOWED_USERGROUPS and the scope usergroups:read',
        )
      : logger.warn(
          { err: error, about: key },
          'Slack did not tell the bot about a person or a conversation: access is refused',
        );
  return accessBy(rules, slack.identity, slackFacts({ client: slack.messages, now, onError }));
}
