import { describe, expect, test } from 'vitest';
import { stateValue } from '../../../../src/slack/block-kit/action-values.ts';
import { listenToShortcuts } from '../../../../src/slack/features/ask/shortcuts.ts';
import { listenToHome } from '../../../../src/slack/listeners/home.ts';
import { listenToMenu } from '../../../../src/slack/listeners/menu.ts';
import { listenToMore } from '../../../../src/slack/listeners/more.ts';
import { listenToUpgrades } from '../../../../src/slack/listeners/upgrade.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { away, listening, NOW, RESPONSE_URL } from '../../../support/listening.ts';
import { openedFrom, QUESTION, STATE, STORE_AWAY, THERE } from '../../../support/shown-results.ts';

type Here = ReturnType<typeof listening>;

const shown = (here: Here) => here.calls.map(({ args }) => JSON.stringify(args.view));

describe('Behind “More…”', () => {
  test('“Browse privately” is noted for the conversation of the message, and belongs to it', async () => {
    const here = listening(listenToMore, THERE);
    await here.click('do-browse', { view: { id: 'V1', private_metadata: openedFrom() } });
    expect(here.of('audit')).toEqual([
      [{ event: 'browsed', user: 'U1', channel: 'C1', snapshot: '26808463' }],
    ]);
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: JSON.stringify({ channel: 'C1' }) });
  });

  test('“What an upgrade fixes” goes to the version and the page that were chosen', async () => {
    const fixes = Array.from({ length: 60 }, (_, at) =>
      aDiagnostic({ name: `D${at}`, title: `Fixed ${at}`, fixedIn: [at % 2 ? '17.1.4' : '17.5.0'] }),
    );
    const read = async () => ({ kind: 'ready', result: aResult(fixes), at: NOW });
    const at = async (upgrade: number, page: number) => {
      const here = listening(listenToUpgrades, { changes: { lookups: { read } } });
      const view = { id: 'V1', private_metadata: openedFrom() };
      await here.click('upgrade-0', { value: JSON.stringify({ upgrade, page }), view });
      return shown(here)[0];
    };
    expect(await at(0, 0)).toContain('Fixed 0 · fixed in 17.5.0');
    expect(await at(1, 0)).toContain('Fixed 1 · fixed in 17.1.4');
    expect(await at(0, 1)).toContain('Fixed 58 · fixed in 17.5.0');
  });

  test('the list opens at once where the result is kept; else, or while the store is away, it is read', async () => {
    const opens = { slack: () => ({ view: { id: 'V2' } }) };
    const open = async (options: object) => {
      const here = listening(listenToMenu, { ...options, ...opens });
      await here.click('more', { blockId: stateValue(STATE), option: 'others' });
      return here.calls.map(({ method, args }) => [
        method,
        JSON.stringify(args.view).includes('do-markdown'),
      ]);
    };
    expect(await open(THERE)).toEqual([['views.open', true]]);
    const { lookups } = THERE.changes;
    for (const cached of [away, async () => undefined])
      expect(await open({ changes: { lookups: { ...lookups, cached } } })).toEqual([
        ['views.open', false],
        ['views.update', true],
      ]);
    expect(await open(STORE_AWAY)).toEqual([
      ['views.open', false],
      ['views.update', false],
    ]);
  });
});

describe('The Home tab', () => {
  test('lists lookups without a link where Slack knows none, and says what can not be read', async () => {
    const recent = { channel: 'C1', ts: '2.2', askedAt: NOW, state: 'ready', findings: '3 hits' };
    const here = listening(listenToHome, {
      changes: { recentLookups: { of: async () => [{ ...recent, question: QUESTION }] } },
      slack: ({ method }) => (method === 'chat.getPermalink' ? 'message_not_found' : {}),
    });
    await here.happens('app_home_opened', { tab: 'home', user: 'U1' });
    expect(here.calls.map(({ method }) => method)).toEqual(['chat.getPermalink', 'views.publish']);
    const failing = listening(listenToHome, { changes: { recentLookups: { of: away }, loginHealth: away } });
    await failing.happens('app_home_opened', { tab: 'home', user: 'U1' });
    expect(shown(failing)).toHaveLength(1);
  });
});

describe('“Diagnose snapshot” on a message that names several', () => {
  test('opens a form that knows where the answer goes, and is acknowledged', async () => {
    const here = listening(listenToShortcuts);
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
