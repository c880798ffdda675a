import { describe, expect, test } from 'vitest';
import { asking, listening } from '../../../support/listening.ts';

describe('What Slack reports of accounts', () => {
  test('a group whose members changed is read again', async () => {
    const here = listening(asking);
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
      const here = listening(asking, {
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
    const here = listening(asking);
    await here.happens('tokens_revoked', { tokens: { oauth: ['U1'] } });
    await here.happens('tokens_revoked', { tokens: { oauth: ['U1'], bot: [] } });
    await here.happens('user_change', { user: { id: 'U1' } });
    expect(here.done).toEqual([]);
  });
});
