import { describe, expect, test } from 'vitest';
import {
  type Fault,
  Forbidden,
  LoginRefused,
  NotADocument,
  RateLimited,
  ServiceFailed,
  SnapshotNotFound,
  StorageFailed,
  TooLarge,
} from '../../../../src/core/faults.ts';
import { faultSentence } from '../../../../src/slack/answer/fault-sentences.ts';
import {
  alreadyWaitingMessage,
  clickFaultNotice,
  faultNotice,
  processingNotice,
} from '../../../../src/slack/answer/notices.ts';
import { actionOf } from '../../../../src/slack/answer/wording.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const [LATER, EARLIER] = [snapshotId('26808463'), snapshotId('26808400')];
const ASKED = { question: { snapshotId: LATER, set: 'all' as const } };
const OPERATOR = { contact: 'the team', loginUrl: 'https://login.acme.example/' };
const COMPARED = { ...ASKED, before: { snapshotId: EARLIER, set: 'all' as const } };

test.each([
  ['For additional information, refer to the linked article.', ''],
  ['For more information please see the related solutions', ''],
  ['No further action is required.', 'No further action is required.'],
  ['No action needed', 'No action needed'],
])('Of the action %j a message says %j: that there is nothing to do is worth a line', (action, said) => {
  expect(actionOf({ action })).toBe(said);
});

test('Whoever asks for what is awaited hears that it is the lookup that goes on', () => {
  expect(alreadyWaitingMessage(ASKED, undefined).text).toMatch(/^The lookup of snapshot 26808463 is already/);
  expect(alreadyWaitingMessage(COMPARED, undefined).text).toMatch(
    /^The comparison of snapshots .* is already/,
  );
});

test('Whoever clicks where the result is gone hears which snapshots it was of', () => {
  const gone = new SnapshotNotFound();
  expect(clickFaultNotice(gone, OPERATOR, ASKED).text).toContain('no longer has snapshot 26808463,');
  expect(clickFaultNotice(gone, OPERATOR, COMPARED).text).toContain(
    'no longer has one of the snapshots 26808400 and 26808463,',
  );
  expect(clickFaultNotice(new StorageFailed(), OPERATOR, ASKED).text).toContain('storage');
});

describe('Whoever opens a result in a window of their own', () => {
  const window = (fault: Fault, asked: typeof ASKED | typeof COMPARED) =>
    faultNotice(fault, OPERATOR, asked).text;

  test('hears of a snapshot that was not found that, and not that it is gone', () => {
    expect(window(new SnapshotNotFound(), ASKED)).toMatch(/^Snapshot 26808463 was not found. Check the id/);
    expect(window(new SnapshotNotFound(), COMPARED)).toMatch(
      /^One of the snapshots 26808400 and 26808463 was not found/,
    );
  });

  test('hears that a snapshot is processed, and not that it is processed again', () => {
    expect(processingNotice(ASKED)).toBe(
      'The service is processing snapshot 26808463. Try again in a minute.',
    );
  });
});

test('A fault of a comparison that was clicked is of one of its snapshots: nobody knows of which', () => {
  const said = (fault: Fault) => clickFaultNotice(fault, OPERATOR, COMPARED).text;
  const one = 'one of the snapshots 26808400 and 26808463';
  expect(said(new Forbidden())).toContain(`no access to ${one}.`);
  expect(said(new NotADocument('empty'))).toContain(`instead of the result of ${one}.`);
  expect(clickFaultNotice(new Forbidden(), OPERATOR, ASKED).text).toContain(
    'no access to snapshot 26808463.',
  );
});

const AT = Date.UTC(2026, 10, 20, 9, 35);

function sentenceOf(fault: Fault) {
  return faultSentence(fault, OPERATOR, { question: { snapshotId: LATER, set: 'all' } });
}

describe('A fault', () => {
  test.each([200, 302, 401, 403])('with the status %i of a login is about the account', (status) => {
    expect(sentenceOf(new LoginRefused(status, AT)).what).toContain(
      `rejected the bot’s account (status ${status})`,
    );
  });

  test.each([404, 406, 415, 201])('with the status %i of a login may be about the address', (status) => {
    const { what, next } = sentenceOf(new LoginRefused(status, AT));
    expect(what).toBe(`Login failed: the login servers gave no session (status ${status}).`);
    expect(next).toContain('DIAGNOSTICS_AUTH_URL');
  });

  test('that names a time says when, and no more of the tries or the snapshot than is known', () => {
    for (const fault of [new ServiceFailed('login servers', 503, AT), new RateLimited(AT)]) {
      expect(sentenceOf(fault).next).toMatch(/^Try again after .*09:35/);
    }
    expect(sentenceOf(new ServiceFailed('login servers', 503)).next).toBe('Try again in a few minutes.');
    const words = [new ServiceFailed('login servers', 503), new RateLimited(AT)].map(sentenceOf);
    for (const { what, next } of words)
      expect(`${what} ${next}`).not.toMatch(/several|too many|not the cause/);
  });

  test.each([
    [32 * 1024 * 1024, '32 MB or more'],
    [5.7 * 1024 * 1024, '5 MB or more'],
  ])('of a size of %i bytes says only what holds for it', (bytes, size) => {
    expect(sentenceOf(new TooLarge(bytes)).what).toContain(`too large for the bot to read (${size})`);
  });
});
