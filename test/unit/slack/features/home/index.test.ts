import { expect, test } from 'vitest';
import { home } from '../../../../../src/slack/features/home/index.ts';
import { homeView } from '../../../../../src/slack/features/home/view.ts';
import { aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { away, listening } from '../../../../support/listening.ts';

/** The Home tab of U1, who has looked up a snapshot in C1; Slack knows no link. */
async function opened(tab: string, changes: Record<string, unknown> = {}) {
  const parts = featureParts();
  const feature = home(parts);
  const shown = { destination: { channel: 'C1', user: 'U1', messageTs: '2.2' }, isShown: true };
  const status = { kind: 'ready', result: aResult([]), readAt: 1 } as const;
  await feature.hook?.after?.({ lookup: aLookup('one'), status, shown });
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
  expect(await opened('home', { loginHealth: away })).toEqual(['chat.getPermalink', 'views.publish']);
});

test('A lookup where the bot may not be used any more is not listed', async () => {
  const rules = { channels: ['C2'] };
  expect(await opened('home', { access: { rules } })).toEqual(['views.publish']);
});

test('The Home tab says of a storage that can’t be read just that, whichever part of it', () => {
  const operator = { contact: 'the team', loginUrl: 'https://login.example/' };
  const readable = {
    recentLookups: [],
    watches: [],
    login: { state: 'not-needed' },
    operator,
    command: '/snapshot',
  } as const;
  const linesOf = (changes: object) => homeView({ ...readable, ...changes }).blocks.length;
  const texts = (changes: object) => JSON.stringify(homeView({ ...readable, ...changes }));
  for (const changes of [{ recentLookups: undefined }, { login: undefined }]) {
    expect(texts(changes)).toContain('⚠');
    expect(linesOf(changes)).toBeLessThan(linesOf({}));
  }
  expect(texts({})).not.toContain('⚠');
});
