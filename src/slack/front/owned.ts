import { isDeepStrictEqual } from 'node:util';
import { type Owner, withOwners } from '../answer/parts/owners-line.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { Origin } from '../block-kit/origin-values.ts';
import { MOST_USES } from '../delivery/response-url.ts';
import type { ListenerContext } from './context.ts';

/**
 * Replaces a message by one that names its owners, again while they have changed: of what several people do at once,
 * Slack can take the oldest last. `draw` gets how often the message was drawn. Throws `StorageFailed`, and what
 * `replace` throws.
 */
export async function replaceOwned(
  { channel, messageTs: ts }: Origin,
  { owners }: ListenerContext,
  draw: (times: number) => Message,
  replace: (message: Message) => Promise<unknown>,
): Promise<void> {
  let named: readonly Owner[] | undefined;
  for (let times = 1; times <= MOST_USES; times += 1) {
    const present = ts === undefined ? [] : await owners.of({ channel, ts });
    if (isDeepStrictEqual(present, named)) return;
    await replace(withOwners(draw(times), channel, present));
    named = present;
  }
}
