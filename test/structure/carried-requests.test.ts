import { describe, expect, test } from 'vitest';
import type { Asked } from '../../src/core/lookup.ts';
import { answersTo } from '../../src/lookups/read-units.ts';
import { messageFor } from '../../src/slack/answer/message-for.ts';
import { readState, readView, stateValue, viewValue } from '../../src/slack/blocks/action-values.ts';
import { WaitingMessages } from '../../src/slack/delivery/own-messages.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { aLookup } from '../support/a-lookup.ts';
import { anyResult } from '../support/any-result.ts';
import { aStore } from '../support/embedded.ts';
import { pagesOf } from '../support/every-page.ts';
import { fc } from '../support/fast-check.ts';
import { objectsIn } from '../support/message-parts.ts';
import { SHRINKING } from '../support/shrinking.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const PLAIN: Asked = { question: { snapshotId: snapshotId('26808463'), set: 'hit' } };

const SEARCH: Asked = { question: { ...PLAIN.question, set: 'all' }, search: ['certificate'] };

/** A request with each part: a new one has to be filled in here, so that nothing that carries requests drops it. */
const REQUESTS = {
  question: { question: { snapshotId: snapshotId('26808470'), set: 'hit' } },
  others: { ...PLAIN, others: [{ snapshotId: snapshotId('26808471'), set: 'hit' }] },
  before: { ...PLAIN, before: { snapshotId: snapshotId('26808462'), set: 'hit' } },
  againstLast: { ...PLAIN, againstLast: true },
  filter: { ...PLAIN, filter: { levels: ['high'], cve: 'with' } },
  search: SEARCH,
  side: { ...SEARCH, side: 'hit' },
} as const satisfies Record<keyof Asked, Asked>;

const NAMES = Object.keys(REQUESTS) as (keyof Asked)[];
const requestWith = (name: keyof Asked): Asked => REQUESTS[name];
/** The same request without that part. */
const requestWithout = (name: keyof Asked): Asked => ({ ...requestWith(name), [name]: PLAIN[name] });

describe('Every part of a request', () => {
  test.each(NAMES)('stays in the value of a button: %s', (name) => {
    expect(readView(viewValue(requestWith(name)))).toEqual(requestWith(name));
  });

  test.each(NAMES)('stays in the state of a message: %s', (name) => {
    const state = { ...requestWith(name), page: 0, askedBy: 'U0ANA', madeAt: 1, turn: 0 };
    expect(readState(stateValue(state))).toEqual(state);
  });

  // The last result of a device is looked up before the answer is shown: then it is `before`.
  test.each(NAMES.filter((name) => name !== 'againstLast'))('makes the answer another one: %s', (name) => {
    expect(stateOf(requestWith(name))).toMatchObject(requestWith(name));
  });

  test.each(NAMES)('is answered as Slack takes it, whatever a document holds: %s', async (name) => {
    const asked = requestWith(name);
    await fc.assert(
      fc.asyncProperty(anyResult, async (result) => {
        const answers = await answersTo(asked, async ({ snapshotId: chassisSerial }) => ({
          kind: 'ready',
          result: { ...result, device: { ...result.device, chassisSerial } },
          readAt: 1,
        }));
        if (answers !== undefined) pagesOf(asked, answers);
      }),
      { numRuns: 15, ...SHRINKING },
    );
  });

  test.each(NAMES)('keeps its wait apart from that of other requests: %s', async (name) => {
    const destination = { channel: 'C0SUPPORT', user: 'U0ANA', messageTs: '1.1' };
    const waiting = new WaitingMessages(aStore().namespace('waiting-messages'));
    await waiting.begin(destination, requestWithout(name), 'lookup', 60_000);
    expect(await waiting.find(destination, requestWith(name))).toBeUndefined();
    expect(await waiting.find(destination, requestWithout(name))).toBeDefined();
  });
});

/** What the message with the answer keeps of the request, in the id of its block with controls. */
function stateOf(asked: Asked): Asked {
  const answer = { result: aResult([aDiagnostic()]), readAt: 1 };
  const status = { kind: 'ready', ...answer, ...(asked.before && { before: answer }) } as const;
  const manner = { operator: { contact: '', loginUrl: '' }, editable: true, isPrivate: false, channel: 'C1' };
  const { blocks } = messageFor({ ...aLookup('one'), ...asked }, status, manner);
  const ids = objectsIn(blocks).flatMap(({ block_id: id }) => (typeof id === 'string' ? id : []));
  const state = ids.find((id) => id.startsWith('{'));
  return readState(state);
}
