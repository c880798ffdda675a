import { describe, expect, test } from 'vitest';
import {
  type Fault,
  Forbidden,
  NotADocument,
  SnapshotNotFound,
  StorageFailed,
} from '../../../../src/core/faults.ts';
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
  const operator = { contact: 'the team', loginUrl: '' };
  const gone = new SnapshotNotFound();
  expect(clickFaultNotice(gone, operator, ASKED).text).toContain('no longer has snapshot 26808463,');
  expect(clickFaultNotice(gone, operator, COMPARED).text).toContain(
    'no longer has one of the snapshots 26808400 and 26808463,',
  );
  expect(clickFaultNotice(new StorageFailed(), operator, ASKED).text).toContain('storage');
});

describe('Whoever opens a result in a window of their own', () => {
  const operator = { contact: 'the team', loginUrl: '' };
  const window = (fault: Fault, asked: typeof ASKED | typeof COMPARED) =>
    faultNotice(fault, operator, asked).text;

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
  const operator = { contact: 'the team', loginUrl: '' };
  const said = (fault: Fault) => clickFaultNotice(fault, operator, COMPARED).text;
  const one = 'one of the snapshots 26808400 and 26808463';
  expect(said(new Forbidden())).toContain(`no access to ${one}.`);
  expect(said(new NotADocument('empty'))).toContain(`instead of the result of ${one}.`);
  expect(clickFaultNotice(new Forbidden(), operator, ASKED).text).toContain(
    'no access to snapshot 26808463.',
  );
});
