import { describe, expect, test } from 'vitest';
import { asking, IN_THREAD, listening, menus, NOW, RESPONSE_URL } from '../../../support/listening.ts';
import { openedFrom, THERE } from '../../../support/shown-results.ts';

describe('Behind ⋯', () => {
  test('“Browse privately” is noted for the conversation of the message, and belongs to it', async () => {
    const here = listening(menus, THERE);
    await here.click('do-browse', { view: { id: 'V1', private_metadata: openedFrom() } });
    expect(here.of('audit')).toEqual([
      [{ event: 'browsed', user: 'U1', channel: 'C1', snapshot: '26808463' }],
    ]);
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: JSON.stringify({ channel: 'C1' }) });
  });
});

describe('“Diagnose snapshot” on a message that names several', () => {
  test('opens a form that knows where the answer goes, and is acknowledged', async () => {
    const here = listening(asking);
    const message = { text: '26808463 26808470', thread_ts: '1.1' };
    const who = { channel: { id: 'C1' }, user: { id: 'U1' }, trigger_id: 'a trigger' };
    await here.shortcut({ ...who, message, message_ts: '5.5', response_url: RESPONSE_URL });
    const view = here.calls[0]?.args.view as { private_metadata: string } | undefined;
    expect(JSON.parse(view?.private_metadata ?? '')).toEqual({
      ...{ channel: 'C1', threadTs: '1.1', hasThread: true },
      response: { url: RESPONSE_URL, expiresAt: NOW + 1_800_000 },
    });
    expect(here.of('ack')).toHaveLength(1);
  });
});

test('“Look up a new snapshot” in a thread opens a form whose answer goes to that thread', async () => {
  const here = listening(asking);
  await here.click('open-look-up', { container: IN_THREAD });
  const view = here.calls[0]?.args.view as { private_metadata: string } | undefined;
  expect(JSON.parse(view?.private_metadata ?? '')).toEqual({
    channel: 'C1',
    threadTs: '1.1',
    hasThread: true,
  });
});
