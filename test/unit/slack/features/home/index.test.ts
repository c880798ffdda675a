import { expect, test } from 'vitest';
import { home, homeView, type LinkedLookup } from '../../../../../src/slack/features/home/index.ts';
import { viewFaults } from '../../../../emulators/slack/view-checks.ts';
import { aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { away, listening } from '../../../../support/listening.ts';
import { valuesOf } from '../../../../support/message-parts.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

/** The Home tab of U1, who has looked up a snapshot in C1, and what the bot calls for it; Slack knows no link. */
async function opened(tab: string, changes: Record<string, unknown> = {}, isStoreAway = false) {
  const parts = featureParts();
  const feature = home(parts);
  const shown = { destination: { channel: 'C1', user: 'U1', messageTs: '2.2' }, isShown: true };
  const status = { kind: 'ready', result: aResult([]), readAt: 1 } as const;
  await feature.hook?.({ lookup: aLookup('one'), status, shown });
  if (isStoreAway) Object.assign(parts.store, { namespace: () => ({ get: away }) });
  const here = listening(feature.listen, {
    changes,
    slack: ({ method }) => (method === 'chat.getPermalink' ? 'message_not_found' : {}),
  });
  await here.happens('app_home_opened', { tab, user: 'U1' });
  return here.calls.map(({ method }) => method);
}

test('The Home tab is drawn when it is opened, and not when the messages beside it are', async () => {
  expect(await opened('home')).toEqual(['chat.getPermalink', 'views.publish']);
  expect(await opened('messages')).toEqual([]);
  // Nobody may use the bot any more where that was looked up.
  expect(await opened('home', { access: { rules: { channels: ['C2'] } } })).toEqual(['views.publish']);
});

test('It is drawn also while a part of what it shows can’t be read, but a bug is thrown', async () => {
  for (const part of [{ loginHealth: away }, { watching: { of: away } }])
    expect(await opened('home', part)).toEqual(['chat.getPermalink', 'views.publish']);
  expect(await opened('home', {}, true)).toEqual(['views.publish']);
  const bug = { loginHealth: () => Promise.reject(new TypeError('a bug')) };
  await expect(opened('home', bug)).rejects.toThrow('a bug');
});

test('Who stops a watch on the Home tab sees the tab without it, and nothing else can be stopped there', async () => {
  const stopped: unknown[] = [];
  const stop = async (...watch: unknown[]) => stopped.push(watch);
  const watching = { stop, of: async () => [] };
  const here = listening(home(featureParts()).listen, { changes: { watching } });
  for (const value of ['26808463', '../1']) await here.click('home-stop-watching', { value });
  expect(stopped).toEqual([['U1', '26808463']]);
  expect(here.calls.map(({ method, args }) => [method, args.user_id])).toEqual(
    Array(2).fill(['views.publish', 'U1']),
  );
});

const RECENT: LinkedLookup = {
  question: { snapshotId: snapshotId('1'), set: 'all' },
  ...{ lookupId: '1', channel: 'C1', state: 'ready', findings: '', askedAt: 0 },
};
const OPERATOR = { contact: 'the team', loginUrl: 'https://login.example/' };

test('The Home tab says of a storage that can’t be read just that, whichever part of it', () => {
  const readable = {
    recentLookups: [],
    watches: [],
    login: { state: 'not-needed' },
    operator: OPERATOR,
  } as const;
  const linesOf = (changes: object) => homeView({ ...readable, ...changes }).blocks.length;
  const texts = (changes: object) => JSON.stringify(homeView({ ...readable, ...changes }));
  for (const changes of [{ recentLookups: undefined }, { login: undefined }]) {
    expect(texts(changes)).toContain('⚠');
    expect(linesOf(changes)).toBeLessThan(linesOf({}));
  }
  expect(texts({})).not.toContain('⚠');
});

test('The name of a device is text, whatever stands in it', () => {
  const device = '<!channel>';
  const view = homeView({
    ...{ login: { state: 'not-needed' }, operator: OPERATOR },
    recentLookups: [{ ...RECENT, device }],
    watches: [{ snapshotId: snapshotId('7000'), device, until: 0 }],
  });
  expect(JSON.stringify(view)).not.toContain(device);
});

test('Each of fifty watches can be stopped from a Home tab that is full, and Slack takes it', () => {
  const ids = Array.from({ length: 50 }, (_, index) => snapshotId(String(7000 + index)));
  const view = homeView({
    ...{ login: { state: 'not-needed' }, operator: OPERATOR },
    recentLookups: Array.from({ length: 10 }, () => RECENT),
    watches: ids.map((id) => ({ snapshotId: id, device: 'edge-7', until: 0 })),
  });
  expect(viewFaults(view, 'home')).toEqual([]);
  expect(valuesOf(view.blocks, 'home-stop-watching')).toEqual(ids);
});
