import type { Lookup } from '../core/lookup.ts';
import type { Delivered, Delivery, News } from '../lookups/news.ts';
import type { Message } from './blocks.ts';
import { viewValue } from './button-values.ts';
import type { Identity } from './identity.ts';
import { messageFor } from './messages/message-for.ts';
import { withInvitation, withShow } from './messages/private-message.ts';
import type { Place } from './place.ts';
import type { Poster } from './poster.ts';
import type { ResponseUrlPoster } from './response-url-poster.ts';
import { meaningOf } from './slack-errors.ts';
import type { Standing } from './standing.ts';

export type DeliveryOptions = {
  readonly poster: Poster;
  readonly responses: ResponseUrlPoster;
  readonly standing: Standing;
  readonly identity: () => Promise<Identity>;
  readonly loginUrl: string;
  readonly now: () => number;
  /** Hears of news that Slack will never take: final ones end the lookup without a message. */
  readonly onUndeliverable: (error: unknown, lookup: Lookup<Place>) => void;
};

/** One piece of news on its way. */
type Errand = {
  readonly lookup: Lookup<Place>;
  readonly urgency: 'final' | 'progress';
  readonly save: (place: Place) => Promise<void>;
  /** The message, as it reads where it can change later, or can't. */
  readonly compose: (editable: boolean) => Message;
  /** What "Show to everyone" shows, of a result. */
  readonly shows: string | undefined;
};

/** Puts news where they belong: an edit of the bot's own message, else a post, else the response URL, else a DM. */
export class SlackDelivery implements Delivery<Place> {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  async deliver(
    lookup: Lookup<Place>,
    news: News,
    save: (place: Place) => Promise<void>,
  ): Promise<Delivered<Place>> {
    const { loginUrl, onUndeliverable, standing, now } = this.#options;
    const urgency = news.kind === 'waiting' ? 'progress' : 'final';
    const compose = (editable: boolean) => messageFor(lookup, news, { loginUrl, editable });
    const shows = news.kind === 'ready' ? viewValue(lookup) : undefined;
    let place = lookup.place;
    const saveAndKnow = async (changed: Place) => {
      await save(changed);
      place = changed;
    };
    try {
      // Before the answer stands there, so that nobody is pointed to a message that has nothing more to tell.
      if (urgency === 'final') await standing.end(place, lookup, lookup.id);
      const delivered = await this.#send(place, { lookup, urgency, save: saveAndKnow, compose, shows });
      if (urgency === 'progress') {
        await standing.begin(delivered.place, lookup, lookup.id, lookup.deadline - now());
      }
      return delivered;
    } catch (error) {
      const isRefused = meaningOf(error) === 'refused';
      if (isRefused) onUndeliverable(error, lookup);
      // Progress is worth no second try: what comes next says more.
      else if (urgency === 'final') throw error;
      // What Slack will never take is not offered at every step of a wait.
      return { place, isShown: isRefused };
    }
  }

  async #send(place: Place, errand: Errand): Promise<Delivered<Place>> {
    const { replaces = false, isInUse = false } = place.response ?? {};
    // Nothing there can be edited: more progress would be more messages, and use up the address before the result.
    if (errand.urgency === 'progress' && isInUse && !replaces) return { place, isShown: true };
    if (replaces || isInUse) return this.#answerPrivately(place, errand);
    const known = await this.#recognise(place, errand);
    return known.messageTs === undefined
      ? this.#post(known, errand)
      : this.#edit(known, known.messageTs, errand);
  }

  /** A message whose confirmation was lost is looked for before another one is posted. */
  async #recognise(place: Place, { lookup, urgency }: Errand): Promise<Place> {
    const { unconfirmed, ...rest } = place;
    if (unconfirmed === undefined || place.messageTs !== undefined) return rest;
    const ts = await this.#options.poster.find(rest, lookup.id, unconfirmed, urgency);
    return ts === undefined ? rest : { ...rest, messageTs: ts };
  }

  async #edit(place: Place, ts: string, errand: Errand): Promise<Delivered<Place>> {
    try {
      await this.#options.poster.edit({ channel: place.channel, ts }, errand.compose(true), errand.urgency);
      return { place, isShown: true };
    } catch (error) {
      if (!['uneditable', 'closed'].includes(meaningOf(error))) throw error;
      const { messageTs: _gone, ...elsewhere } = place;
      return this.#post(elsewhere, errand);
    }
  }

  async #post(place: Place, errand: Errand): Promise<Delivered<Place>> {
    const { poster, now } = this.#options;
    await errand.save({ ...place, unconfirmed: { at: now() } });
    try {
      const posted = await poster.post(place, errand.compose(true), errand.urgency, errand.lookup.id);
      return { place: { ...place, channel: posted.channel, messageTs: posted.ts }, isShown: true };
    } catch (error) {
      if (meaningOf(error) !== 'closed') throw error;
      return this.#answerPrivately(place, errand);
    }
  }

  async #answerPrivately(place: Place, errand: Errand): Promise<Delivered<Place>> {
    const { poster, responses, now } = this.#options;
    const { response } = place;
    if (response !== undefined && response.expiresAt > now()) {
      const taken = await responses.post(
        response,
        await this.#composePrivately(place, errand),
        place.threadTs,
      );
      if (taken) return { place: { ...place, response: { ...response, isInUse: true } }, isShown: true };
    }
    const { response: _spent, threadTs: _thread, ...rest } = place;
    const direct = { channel: place.user };
    const posted = await poster.post(direct, errand.compose(true), errand.urgency, errand.lookup.id);
    return { place: { ...rest, channel: posted.channel, messageTs: posted.ts }, isShown: true };
  }
  async #composePrivately({ channel, response }: Place, { compose, shows }: Errand): Promise<Message> {
    const { replaces = false, isInUse = false } = response ?? {};
    const message = compose(replaces);
    const offered = shows === undefined ? message : withShow(message, shows);
    if (replaces || isInUse) return offered;
    const identity = await this.#options.identity().catch(() => undefined);
    return withInvitation(offered, channel, identity?.user);
  }
}
