import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Actor } from '../../../../src/slack/front/delivery.ts';
import { type Answers, actor, judging } from '../../../support/judging.ts';

/** A form that was opened in a private channel. */
const FORM: Partial<Actor> = { entryPoint: { kind: 'submission', viewId: 'V1' }, usedIn: 'C1' };
const LEFT: Answers = {
  'conversations.info': { channel: { is_ext_shared: false, is_private: true } },
  'conversations.members': { members: ['U2'] },
};

describe('A window of a private channel', () => {
  test.each([
    ['who has left it', {}, 'absent'],
    ['who is in it', { 'conversations.members': { members: ['U2', 'U1'] } }, undefined],
    ['anybody where it is public', { 'conversations.info': { channel: { is_private: false } } }, undefined],
    ['anybody of whom Slack may not tell that', { 'conversations.members': 'missing_scope' }, undefined],
    ['nobody while Slack does not tell that', { 'conversations.members': 'internal_error' }, 'unsure'],
    ['nobody while Slack does not tell what it is', { 'conversations.info': 'internal_error' }, 'unsure'],
  ])('changes it for %s or not', async (_who, answers: Answers, refusal) => {
    const { access } = judging({ sharedChannels: true }, { ...LEFT, ...answers });
    expect(await access.refusalOf(actor(FORM), 'post')).toBe(refusal);
  });

  test('is of no matter to what somebody reads alone, does in no window, or in a direct message', async () => {
    const { access, asked } = judging({ sharedChannels: true }, LEFT);
    expect(await access.refusalOf(actor(FORM), 'read')).toBeUndefined();
    expect(await access.refusalOf(actor({ usedIn: 'C1' }), 'post')).toBeUndefined();
    expect(
      await access.refusalOf(actor({ ...FORM, channels: ['D1'], usedIn: 'D1' }), 'post'),
    ).toBeUndefined();
    expect(asked('conversations.info')).toBe(0);
  });

  test('is asked once in five minutes whether it is one, and each time who is in it', async () => {
    const { access, asked, said } = judging({ sharedChannels: true }, LEFT);
    await access.refusalOf(actor(FORM), 'post');
    said['conversations.members'] = { members: ['U1'] };
    expect(await access.refusalOf(actor(FORM), 'post')).toBeUndefined();
    expect(asked('conversations.info')).toBe(1);
  });

  test('is found out also where Slack takes longer, because the form has been acknowledged', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { access, said } = judging({ sharedChannels: true }, LEFT);
    const answer = LEFT['conversations.info'];
    const { promise, resolve } = Promise.withResolvers();
    said['conversations.info'] = promise;
    const decided = access.refusalOf(actor(FORM), 'post');
    await vi.advanceTimersByTimeAsync(9_000);
    resolve(answer);
    expect(await decided).toBe('absent');
  });
});
