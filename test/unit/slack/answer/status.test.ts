import { describe, expect, test } from 'vitest';
import { statusFor } from '../../../../src/slack/answer/usage-message.ts';
import { textsOf } from '../../../support/message-parts.ts';

describe('The status says', () => {
  const NOW = 10 * 86_400_000;
  const MINUTE = 60_000;
  const healthy = {
    ...{ version: '1.2.3', startedAt: NOW - 5 * MINUTE, replicas: ['1.2.3', '1.2.4', '1.2.3'], reasons: [] },
    ...{ sessionUntil: NOW + 119 * MINUTE, lastLoginAt: NOW - MINUTE, lastRefusalAt: undefined },
    ...{ open: 2, oldestAt: NOW - 120 * MINUTE, watched: 12, faults: [] },
  };
  const of = async (changes: object) => {
    const report = { ...healthy, ...changes };
    const context = { admins: ['U1'], status: async () => report, now: () => NOW };
    const { text, blocks } = await statusFor('U1', context);
    return [text, textsOf(blocks, 'text').slice(1).join('').trim().split('\n')];
  };

  test('how the bot is, part by part', async () => {
    expect(await of({})).toEqual([
      'The bot is healthy.',
      [
        'Version: 1.2.3, up for 5 minutes',
        'Replicas: 2 × 1.2.3, 1 × 1.2.4',
        'Session: valid for another 119 minutes',
        'Last login: 1 minute ago',
        'Last login refused: not by this replica',
        'Open lookups: 2, the oldest 2 hours ago',
        'Watched snapshots: 12',
      ],
    ]);
  });

  test('what is wrong, and what finds the last faults in the log', async () => {
    const reasons = [
      { part: 'Redis', problem: 'away' },
      { part: 'Slack', problem: 'silent' },
    ];
    const faults = [{ at: NOW - 47 * 60 * MINUTE, code: 'unreachable', reference: 'abc' }];
    const [text, lines] = await of({ reasons, faults });
    expect(text).toBe('The bot has problems: Redis, Slack.');
    expect(lines?.slice(7)).toEqual([
      'Problem: Redis: away',
      'Problem: Slack: silent',
      '47 hours ago: unreachable · reference abc',
    ]);
  });

  test.each([
    [0.6, '1 minute'],
    [119, '119 minutes'],
    [149, '2 hours'],
    [151, '3 hours'],
    [47 * 60, '47 hours'],
    [59 * 60, '2 days'],
    [61 * 60, '3 days'],
  ])('%d minutes as %s', async (minutes, length) => {
    expect((await of({ startedAt: NOW - minutes * MINUTE }))[1]).toContain(
      `Version: 1.2.3, up for ${length}`,
    );
  });

  test('nothing to whoever is no admin', async () => {
    const status = async () => healthy;
    const { text } = await statusFor('U2', { admins: ['U1'], status, now: () => NOW });
    expect(text).toBe('Only the admins of this bot can see its status.');
  });

  test('what is not known', async () => {
    const [, lines] = await of({ replicas: undefined, open: undefined, sessionUntil: undefined });
    expect(lines).toContain('Replicas: unknown: the store does not answer');
    expect(lines).toContain('Open lookups: unknown: the store does not answer');
    expect(lines).toContain('Session: none');
    expect((await of({ open: 0, oldestAt: undefined }))[1]).toContain('Open lookups: 0');
    expect((await of({ lastLoginAt: NOW - 48 * 60 * MINUTE }))[1]).toContain('Last login: 2 days ago');
    expect((await of({ startedAt: NOW + MINUTE }))[1]).toContain('Version: 1.2.3, up for 0 minutes');
    expect((await of({ watched: undefined }))[1]).toContain(
      'Watched snapshots: unknown: the store does not answer',
    );
  });
});
