import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { Store } from '../core/store.ts';
import { Turns } from '../core/turns.ts';
import type { Delivery } from '../lookups/news.ts';
import { Access, type AccessRules } from './access.ts';
import type { SlackApp } from './bolt-app.ts';
import { SlackDelivery } from './delivery.ts';
import { FileUploader } from './file-uploader.ts';
import { FollowedDelivery } from './followed-delivery.ts';
import type { ListenerContext } from './listeners/context.ts';
import { Outbox } from './outbox.ts';
import type { Place } from './place.ts';
import { Poster } from './poster.ts';
import { Recents } from './recents.ts';
import { ResponseUrlPoster } from './response-url-poster.ts';
import { Standing } from './standing.ts';
import { Telling } from './telling.ts';
import { UserGroups } from './user-groups.ts';

export type SlackSideOptions = {
  readonly slack: SlackApp;
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly rules: AccessRules;
  /** After how long the end of a wait is worth a message of its own. Milliseconds. */
  readonly tellAfterMs: number;
  readonly loginUrl: string;
  readonly logger: Logger;
  readonly now: () => number;
};

/** What puts answers into Slack, and all that listeners need but the lookups, which need the delivery first. */
export type SlackSide = {
  readonly delivery: Delivery<Place>;
  readonly listening: Omit<ListenerContext, 'lookups' | 'loginHealth'>;
};

/** Puts everything together that knows Slack; starts nothing. */
export function createSlackSide(options: SlackSideOptions): SlackSide {
  const { slack, store, dispatcher, rules, loginUrl, logger, now } = options;
  const responses = new ResponseUrlPoster(dispatcher);
  const standing = new Standing(store.kept('standing'));
  const poster = new Poster({
    client: slack.messages,
    outbox: new Outbox(),
    onRefusedBlocks: (error) => logger.error({ err: error }, 'Slack refused the blocks of a message'),
  });
  const delivery = new SlackDelivery({
    poster,
    responses,
    standing,
    identity: slack.identity,
    loginUrl,
    now,
    onUndeliverable: (error, lookup) =>
      logger.error({ err: error, lookup: lookup.id }, 'Slack will not take the answer to a lookup'),
  });
  const { telling, recents } = createFollowers(options, poster);
  const access = createAccess(slack, rules, logger, now);
  const files = new FileUploader(slack.messages, dispatcher);
  const { claims } = store;
  return {
    delivery: new FollowedDelivery(delivery, [recents, telling]),
    listening: {
      access,
      claims,
      poster,
      responses,
      files,
      standing,
      telling,
      recents,
      loginUrl,
      logger,
      now,
    },
  };
}

function createFollowers(
  { store, tellAfterMs, logger, now }: SlackSideOptions,
  poster: Poster,
): { telling: Telling; recents: Recents } {
  const turns = new Turns(store.claims);
  const telling = new Telling({
    poster,
    circles: store.kept('circles'),
    turns,
    tellAfterMs,
    now,
    onUntold: (error, lookup) => logger.warn({ err: error, lookup }, 'Slack will not take the end of a wait'),
  });
  const recents = new Recents({
    kept: store.kept('recents'),
    turns,
    onError: (error) => logger.warn({ err: error }, 'the recent lookups of a person could not be kept'),
  });
  return { telling, recents };
}

function createAccess(slack: SlackApp, rules: AccessRules, logger: Logger, now: () => number): Access {
  const userGroups = new UserGroups({
    client: slack.messages,
    now,
    onError: (error, group) =>
      logger.error(
        { err: error, group },
        'the members of a user group could not be read: check its id in ALLOWED_USERGROUPS and the scope usergroups:read',
      ),
  });
  return new Access({ rules, identity: slack.identity, userGroups });
}
