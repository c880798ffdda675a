import { describe, expect, test } from 'vitest';
import { cancelValue, hitValue, stateValue } from '../../../../src/slack/block-kit/action-values.ts';
import { originValue } from '../../../../src/slack/block-kit/origin-values.ts';
import { listenToAppLife } from '../../../../src/slack/listeners/app-life.ts';
import { listenToCancel } from '../../../../src/slack/listeners/cancel.ts';
import { listenToDetails } from '../../../../src/slack/listeners/details.ts';
import { listenToMore } from '../../../../src/slack/listeners/more.ts';
import { listenToOnIt } from '../../../../src/slack/listeners/on-it.ts';
import { listenToTellMe } from '../../../../src/slack/listeners/tell-me.ts';
import { listenToUpgrades } from '../../../../src/slack/listeners/upgrade.ts';
import { listenToUserGroups } from '../../../../src/slack/listeners/user-groups.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { away, IN_THREAD, listening, NOW, PRIVATE, RESPONSE_URL } from '../../../support/listening.ts';
import {
  IN_PROCESS,
  openedFrom,
  QUESTION,
  STATE,
  STORE_AWAY,
  THERE,
} from '../../../support/shown-results.ts';

type Here = ReturnType<typeof listening>;

const WAITING = cancelValue({ lookupId: 'first', askedBy: 'U1' });
const told = (here: Here) => here.of('respond').map(([said]) => (said as { text: string }).text);
const shown = (here: Here) => here.calls.map(({ args }) => JSON.stringify(args.view));

describe('“Cancel”', () => {
  test('is for the one who asked; a private message is then replaced through the address of the click', async () => {
    const here = listening(listenToCancel);
    await here.click('cancel', { value: WAITING });
    await here.click('cancel', { value: WAITING, container: PRIVATE });
    const response = { url: RESPONSE_URL, replaces: true, expiresAt: expect.any(Number) };
    expect(here.of('cancel')).toEqual([
      ['first', undefined],
      ['first', { response }],
    ]);
    await here.click('cancel', { value: WAITING, user: 'U2' });
    expect(here.of('cancel')).toHaveLength(2);
    expect(told(here)).toEqual([expect.stringContaining('Only <@U1>')]);
  });
});

describe('“Tell me too”', () => {
  test.each([
    ['joined', 'U2', 'I’ll mention you in the thread'],
    ['joined', 'U1', 'I’ll mention you if this takes over a minute'],
    ['full', 'U2', 'The list is full'],
    ['full', 'U1', 'I’ll mention you if this takes over a minute'],
    ['over', 'U2', 'It has finished'],
    ['over', 'U1', 'It has finished'],
  ])('promises what is so: %s, pressed by %s', async (outcome, user, words) => {
    const here = listening(listenToTellMe, { changes: { notifier: { join: async () => outcome } } });
    await here.click('tell-me-too', { value: WAITING, user });
    expect(told(here)).toEqual([expect.stringContaining(words)]);
  });
});

describe('“I’m on it”', () => {
  const blockId = stateValue(STATE);

  test.each([
    [true, 'said'],
    [false, 'taken back'],
  ])('notes what was done, and draws the message anew: %s', async (isOnIt, outcome) => {
    const owners = { of: async () => [], toggle: async () => isOnIt };
    const here = listening(listenToOnIt, { changes: { ...THERE.changes, owners } });
    await here.click('on-it', { blockId });
    expect(here.of('audit')).toEqual([
      [{ event: 'on it', user: 'U1', channel: 'C1', snapshot: '26808463', outcome }],
    ]);
    expect(here.of('post')).toHaveLength(1);
  });

  test('says so when it can not be kept, and does nothing on what one person sees', async () => {
    const owners = { of: async () => [], toggle: away };
    const here = listening(listenToOnIt, { changes: { ...THERE.changes, owners } });
    await here.click('on-it', { blockId });
    expect(told(here)).toEqual([expect.stringContaining('storage')]);
    const hidden = listening(listenToOnIt, THERE);
    await hidden.click('on-it', { blockId, container: PRIVATE });
    expect(hidden.done).toEqual([['ack']]);
  });
});

describe('The details of a hit', () => {
  const value = (name = 'D1') => hitValue({ view: { question: QUESTION }, hit: 1, name, part: 0 });
  const opens = { slack: () => ({ view: { id: 'V2' } }) };

  test('open at once where the result is kept, and say where they belong', async () => {
    const here = listening(listenToDetails, { ...THERE, ...opens });
    await here.click('details', { value: value(), container: IN_THREAD });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.open']);
    const origin = originValue({ channel: 'C1', messageTs: '2.2', threadTs: '1.1' });
    expect(here.calls[0]?.args.view).toMatchObject({ private_metadata: origin });
    expect(shown(here)[0]).toContain('hit-share');
  });

  test('are put above the modal that they are opened from, and belong to its conversation', async () => {
    const here = listening(listenToDetails, { ...THERE, ...opens });
    for (const metadata of [JSON.stringify({ channel: 'C7' }), ''])
      await here.click('details', { value: value(), view: { id: 'V1', private_metadata: metadata } });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.push', 'views.push']);
    const origins = here.calls.map(
      ({ args }) => (args.view as { private_metadata: string }).private_metadata,
    );
    expect(origins).toEqual([originValue({ channel: 'C7' }), originValue({ channel: 'U1' })]);
    expect(shown(here).join()).not.toContain('hit-share');
  });

  test.each([
    ['the snapshot is processed again', IN_PROCESS, '26808463'],
    ['the store is away', STORE_AWAY, 'storage'],
  ])('open first and then say that %s', async (_what, options, words) => {
    const here = listening(listenToDetails, { ...options, ...opens });
    await here.click('details', { value: value() });
    expect(here.calls.map(({ method }) => method)).toEqual(['views.open', 'views.update']);
    expect(shown(here)[0]).toContain('Loading…');
    expect(shown(here)[1]).toContain(words);
    expect(shown(here)[1]).not.toContain('Loading…');
  });

  test('are shared once from one modal, each hit by itself, and again from another modal', async () => {
    const here = listening(listenToDetails, { ...THERE, ...opens });
    const share = (id: string, hit: string) =>
      here.click('hit-share', {
        value: hitValue({ view: { question: QUESTION }, hit: Number(hit.slice(1)), name: hit, part: 0 }),
        view: { id, private_metadata: originValue({ channel: 'C1', messageTs: '2.2' }) },
      });
    for (const [id, hit] of [
      ['V1', 'D1'],
      ['V1', 'D1'],
      ['V1', 'D3'],
      ['V2', 'D1'],
    ] as const)
      await share(id, hit);
    expect(here.of('posted').map(([to]) => to)).toEqual(Array(3).fill({ channel: 'C1', threadTs: '2.2' }));
    expect(here.of('audit')[0]).toEqual([
      { event: 'shared', user: 'U1', channel: 'C1', snapshot: '26808463' },
    ]);
    expect(shown(here).join()).not.toContain('can’t post there');
  });

  test('that Slack does not take are shared by the next press', async () => {
    let asked = 0;
    const post = async () => {
      asked += 1;
      if (asked === 1) throw new Error('no');
    };
    const here = listening(listenToDetails, { changes: { ...THERE.changes, poster: { post } }, ...opens });
    const view = { id: 'V1', private_metadata: originValue({ channel: 'C1', messageTs: '2.2' }) };
    for (let times = 0; times < 2; times += 1) await here.click('hit-share', { value: value(), view });
    expect(shown(here)[0]).toContain('can’t post there');
    expect([asked, here.of('audit').length]).toEqual([2, 1]);
  });
});

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
});

describe('What Slack reports of accounts', () => {
  test('a group whose members changed is read again', async () => {
    const here = listening(listenToUserGroups);
    await here.happens('subteam_members_changed', { subteam_id: 'S1', team_id: 'T1' });
    expect(here.of('group changed')).toEqual([['S1']]);
  });

  test('an end of the installation or of the bot’s token deletes everything, and is acknowledged after that', async () => {
    for (const [type, event, words] of [
      ['app_uninstalled', {}, 'uninstalled'],
      ['tokens_revoked', { tokens: { bot: ['U0BOT'] } }, 'revoked'],
      ['user_change', { user: { id: 'U1', deleted: true } }, 'deactivated'],
    ] as const) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const here = listening(listenToAppLife, {
        changes: { erasure: { ofEverything: () => promise, ofUser: () => promise } },
      });
      let isDone = false;
      const happening = here.happens(type, event).then(() => {
        isDone = true;
      });
      await new Promise(setImmediate);
      expect(isDone).toBe(false);
      resolve();
      await happening;
      expect(here.log.join()).toContain(words);
    }
  });

  test('a token of a person, or a change of an account, deletes nothing', async () => {
    const here = listening(listenToAppLife);
    await here.happens('tokens_revoked', { tokens: { oauth: ['U1'] } });
    await here.happens('tokens_revoked', { tokens: { oauth: ['U1'], bot: [] } });
    await here.happens('user_change', { user: { id: 'U1' } });
    expect(here.done).toEqual([]);
  });
});
