import { expect, test } from 'vitest';
import { fairShare } from '../../../../src/slack/front/turns.ts';

function shares(perMinute: number) {
  let now = 0;
  const share = fairShare({ perMinute, now: () => now });
  return {
    share,
    later: (ms: number) => {
      now += ms;
    },
    taken: (user: string, times: number, cost = 1) =>
      Array.from({ length: times }, () => share.take(user, cost)).filter((isTaken) => isTaken).length,
  };
}

test('A person may use the share of a minute at once, and no more', () => {
  const { taken } = shares(30);
  expect(taken('ana', 100)).toBe(30);
  expect(taken('ben', 100)).toBe(30);
});

test('A share fills evenly, and never beyond a minute’s', () => {
  const { taken, later } = shares(30);
  taken('ana', 30);
  later(10_000);
  expect(taken('ana', 100)).toBe(5);
  later(3_600_000);
  expect(taken('ana', 100)).toBe(30);
});

test('What costs a quarter may be done four times as often', () => {
  expect(shares(30).taken('ana', 500, 0.25)).toBe(120);
});

test('A share may be less than one command a minute', () => {
  const { taken, later } = shares(0.5);
  expect(taken('ana', 5)).toBe(0);
  later(60_000);
  expect(taken('ana', 5)).toBe(1);
  later(60_000);
  expect(taken('ana', 5)).toBe(0);
});

test('A clock that goes back takes nothing from a share', () => {
  const { taken, later } = shares(10);
  taken('ana', 5);
  later(-60_000);
  expect(taken('ana', 100)).toBe(5);
});

test('A person is told to slow down three times in a minute', () => {
  const { share, later } = shares(30);
  const told = () => Array.from({ length: 10 }, () => share.shouldTell('ana')).filter(Boolean).length;
  expect(told()).toBe(3);
  later(60_000);
  expect(told()).toBe(3);
});

test('To be told costs nothing of the share, and what was used of it keeps nobody from being told', () => {
  const { share, taken } = shares(5);
  expect(taken('ana', 5)).toBe(5);
  expect(Array.from({ length: 4 }, () => share.shouldTell('ana'))).toEqual([true, true, true, false]);
  expect(Array.from({ length: 4 }, () => share.shouldTell('ben'))).toEqual([true, true, true, false]);
  expect(taken('ben', 9)).toBe(5);
});

test('The shares of many people are dropped after a minute, and none before', () => {
  const { share, taken, later } = shares(2);
  taken('ana', 2);
  for (let index = 0; index < 20_000; index += 1) share.take(`U${index}`, 1);
  expect(taken('ana', 5)).toBe(0);
  later(59_000);
  share.take('somebody', 1);
  // Not quite two.
  expect(taken('ana', 5)).toBe(1);
  later(61_000);
  share.take('somebody', 1);
  expect(taken('ana', 5)).toBe(2);
});
