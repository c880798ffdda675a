import type { Destination, Lookup } from '../../core/lookup.ts';
import type { Attempt, Delivered } from '../../lookups/lookup-status.ts';
import type { Message } from '../blocks/blocks.ts';
import { withInvitation } from '../report/notices.ts';
import type { MessageManner } from '../report/waiting.ts';
import type { Poster } from './poster.ts';
import type { Urgency } from './rate-limited-queue.ts';
import { isUsableForProgress, type ResponseUrlPoster } from './response-url-poster.ts';
import { codeOf, isRefused, meaningOf } from './slack-errors.ts';

/** An update of a lookup's message. */
export type OutgoingUpdate = Attempt & {
  readonly lookup: Lookup;
  readonly urgency: Urgency;
  /** The message, as it should read at that destination. */
  readonly compose: (manner: Omit<MessageManner, 'operator'>) => Message;
  /** Whether it says only that the snapshot is looked up: not worth a private message that nobody can replace. */
  readonly isOnlyLooking?: boolean;
};

/** The bot's own message, which it can edit. */
const OWN = { editable: true, isPrivate: false };

export type SenderOptions = {
  readonly poster: Poster;
  readonly responses: ResponseUrlPoster;
  /** The bot itself. */
  readonly identity: () => Promise<{ readonly user: string }>;
  readonly now: () => number;
};

/**
 * Sends an update in the first way that Slack accepts: an edit of the bot's message, else a new one there, else through
 * the response URL, else as a direct message.
 */
export class UpdateSender {
  readonly #options: SenderOptions;
  /** What Slack took through response URLs, by lookup, until that is stored: nobody can look for it there. */
  readonly #unsaved = new Map<string, { readonly urgency: Urgency; readonly destination: Destination }>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Gives where the update is shown. Throws what the clients throw: a refusal means that no way is left. */
  async send(destination: Destination, update: OutgoingUpdate): Promise<Delivered> {
    const { response } = destination;
    const { urgency, lookup } = update;
    const taken = this.#unsaved.get(lookup.id);
    if (taken !== undefined && (taken.urgency === 'final' || urgency === 'progress'))
      return this.#taken(taken.destination, { ...update, urgency: taken.urgency });
    if (response?.hasAnswer === true) return { destination, isShown: true };
    if (response?.replaces === true || response?.isInUse === true) {
      // Without an editable message progress is skipped: each would be one more message and one more use of the
      // response URL.
      const isSilent = !response.replaces || !isUsableForProgress(response);
      if (urgency === 'progress' && isSilent) return { destination, isShown: true };
      return this.#answerPrivately(destination, update);
    }
    const { messageTs, ...known } = await this.#recognise(destination, update);
    return messageTs === undefined
      ? this.#post(known, update)
      : this.#edit({ ...known, messageTs }, messageTs, update);
  }

  /** Looks for the message of an earlier try before posting another one. */
  async #recognise(
    destination: Destination,
    { lookup, urgency, isRepeated }: OutgoingUpdate,
  ): Promise<Destination> {
    const { mayBePosted, ...known } = destination;
    if (known.messageTs !== undefined || !(isRepeated || mayBePosted)) return known;
    const { id, acceptedAt: at } = lookup;
    const found = await this.#options.poster.find(known, id, { at }, urgency);
    return found === undefined ? known : { ...known, channel: found.channel, messageTs: found.ts };
  }

  async #edit(destination: Destination, ts: string, update: OutgoingUpdate): Promise<Delivered> {
    const { poster } = this.#options;
    const shown = { channel: destination.channel, ts };
    try {
      const message = update.compose({ ...OWN, channel: shown.channel });
      await poster.edit(shown, message, update.urgency, () => confirmed(update, true));
      return { destination, isShown: true };
    } catch (error) {
      // Progress moves to another way only if its message is gone; a final answer must be delivered.
      const isLost = ['uneditable', 'not-here'].includes(meaningOf(error));
      if (!(update.urgency === 'progress' ? isLost : isRefused(error))) throw error;
      const { messageTs: _lost, ...elsewhere } = destination;
      const delivered = await this.#post(elsewhere, update);
      // Otherwise the old message would say forever that it waits.
      if (codeOf(error) !== 'message_not_found') await poster.remove(shown);
      return delivered;
    }
  }

  async #post(destination: Destination, update: OutgoingUpdate): Promise<Delivered> {
    const { poster } = this.#options;
    const { lookup, urgency, confirm } = update;
    try {
      const message = update.compose({ ...OWN, channel: destination.channel });
      const posted = await poster.post(destination, message, urgency, { id: lookup.id, save: confirm });
      const thread = destination.threadTs === undefined ? {} : { hasThread: true };
      const shown = { ...destination, ...thread, channel: posted.channel, messageTs: posted.ts };
      return { destination: shown, isShown: true };
    } catch (error) {
      const isLastWay = destination.channel === destination.user && destination.response === undefined;
      if (isLastWay || !isRefused(error)) throw error;
      return this.#answerPrivately(destination, update);
    }
  }

  async #answerPrivately(destination: Destination, update: OutgoingUpdate): Promise<Delivered> {
    const { responses, now } = this.#options;
    const { response, threadTs, hasThread, messageTs: _elsewhere, ...direct } = destination;
    if (response !== undefined && response.expiresAt > now()) {
      // It would stay above the answer.
      if (update.isOnlyLooking && !response.replaces) return { destination, isShown: true };
      const message = await this.#composePrivately(destination, update);
      await confirmed(update, response.replaces);
      const used = await responses.post(response, message, hasThread ? threadTs : undefined);
      if (used !== undefined) return this.#taken({ ...destination, response: used }, update);
    }
    return this.#post({ ...direct, channel: destination.user }, update);
  }

  /** Stores what was posted before anything follows on it; a store that fails must not have it posted again. */
  async #taken(destination: Destination, { lookup, urgency, save }: OutgoingUpdate): Promise<Delivered> {
    const { response } = destination;
    this.#unsaved.set(lookup.id, { urgency, destination });
    await save(
      urgency === 'final' && response
        ? { ...destination, response: { ...response, hasAnswer: true } }
        : destination,
    );
    this.#unsaved.delete(lookup.id);
    return { destination, isShown: true };
  }

  async #composePrivately({ channel, response }: Destination, { compose }: OutgoingUpdate): Promise<Message> {
    const { replaces = false, isInUse = false } = response ?? {};
    const message = compose({ editable: replaces, isPrivate: true, channel });
    if (replaces || isInUse) return message;
    const identity = await this.#options.identity().catch(() => undefined);
    return withInvitation(message, channel, identity?.user);
  }
}

/**
 * Makes sure that this process has the lookup still: one that stood still may have lost it. An answer in place of another
 * message needs no such care, also where it is there already.
 */
async function confirmed({ urgency, confirm }: OutgoingUpdate, replaces: boolean): Promise<void> {
  if (urgency === 'progress' || !replaces) await confirm();
}
