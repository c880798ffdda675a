import { isDeepStrictEqual } from 'node:util';
import { RESPONSE_URL_MS } from '../../core/lookup.ts';
import type { Store } from '../../core/store.ts';
import { type Attention, NO_ATTENTION, type Owner, withAttention } from '../answer/around-message.ts';
import { readState, stateValue } from '../blocks/action-values.ts';
import type { Message } from '../blocks/blocks.ts';
import type { Origin } from '../blocks/modal.ts';
import { MOST_USES } from './response-url-poster.ts';

/** A message that everybody in the conversation sees. */
type OwnedMessage = { readonly channel: string; readonly ts: string };

/** Who is on it, stored by message, so that it survives edits, refreshes and restarts. */
type Owners = ReturnType<typeof ownersOf>;

/** `ttlMs`: for how long owners are stored. Its functions throw `StorageFailed`. */
export function ownersOf(store: Pick<Store, 'namespace'>, ttlMs: number) {
  const owners = store.namespace<Owner>('owners');
  const messages = store.namespace<Message>('hand-overs');
  const keyOf = ({ channel, ts }: OwnedMessage) => `${channel}:${ts}`;
  const change = async (message: OwnedMessage, make: (before: Owner | undefined) => Owner | undefined) => {
    const [before] = await owners.change(keyOf(message), make, () => ttlMs);
    return before;
  };
  return {
    of: (message: OwnedMessage) => owners.get(keyOf(message)),
    /** Puts somebody on it, unless somebody is. */
    claim: (message: OwnedMessage, owner: Owner) => change(message, (before) => before ?? owner),
    /** Puts this person on it in place of whoever is, or nobody. Both give who was on it before. */
    replace: (message: OwnedMessage, owner: Owner | undefined) => change(message, () => owner),
    /** Remembers how a message reads while somebody decides who takes it over: Slack sends a window without its message. */
    keep: (message: OwnedMessage, shown: Message) => messages.set(keyOf(message), shown, RESPONSE_URL_MS),
    kept: (message: OwnedMessage) => messages.get(keyOf(message)),
  };
}

/**
 * Replaces a message by one that names its owner, again while that has changed: of what several
 * people do at once, Slack can take the oldest last. What a window to hand it over was opened from is kept as it reads
 * then. `draw` gets how often the message was drawn. Throws `StorageFailed`, and what `replace` throws.
 */
export async function replaceOwned(
  { channel, messageTs: ts }: Origin,
  context: AttentionOf,
  draw: (times: number) => Message,
  replace: (message: Message) => Promise<unknown>,
): Promise<void> {
  let named: Attention | undefined;
  for (let times = 1; times <= MOST_USES; times += 1) {
    const message = draw(times);
    const present = ts === undefined ? NO_ATTENTION : { owner: await context.owners.of({ channel, ts }) };
    if (isDeepStrictEqual(present, named)) return;
    const shown = withAttention(message, channel, present);
    await replace(shown);
    named = present;
    if (ts !== undefined && present.owner !== undefined && (await context.owners.kept({ channel, ts })))
      await context.owners.keep({ channel, ts }, shown);
  }
}

/** The same message as Slack takes it in place of itself: each time that it is drawn its controls have another id. */
export function redrawn(message: Message, times: number): Message {
  const { text, blocks } = message;
  const controls = blocks.at(-1);
  if (controls?.type !== 'actions') return message;
  const state = readState(controls.block_id);
  const block_id = stateValue({ ...state, turn: state.turn + times });
  return { text, blocks: blocks.map((block) => (block === controls ? { ...block, block_id } : block)) };
}

/** Who knows the owner of a message. */
type AttentionOf = { readonly owners: Pick<Owners, 'of' | 'keep' | 'kept'> };
