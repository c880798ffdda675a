import { describe, expect, test } from 'vitest';
import {
  type Fault,
  LoginRefused,
  NotADocument,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  TooLarge,
} from '../../../../src/core/faults.ts';
import type { LookupStatus } from '../../../../src/lookups/lookup-status.ts';
import { faultSentence } from '../../../../src/slack/answer/fault-sentences.ts';
import { messageFor } from '../../../../src/slack/answer/message-for.ts';
import { overMessage } from '../../../../src/slack/features/wait/notifier.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 35);
const OPERATOR = { contact: 'the team', loginUrl: 'https://login.acme.example/' };

function said(fault: Fault) {
  return faultSentence(fault, { snapshotId: snapshotId('26808463'), operator: OPERATOR });
}

describe('A fault', () => {
  test.each([200, 302, 401, 403])('with the status %i of a login is about the account', (status) => {
    expect(said(new LoginRefused(status, AT)).what).toContain(
      `rejected the bot’s account (status ${status})`,
    );
  });

  test.each([404, 406, 415, 201])('with the status %i of a login may be about the address', (status) => {
    const { what, next } = said(new LoginRefused(status, AT));
    expect(what).toBe(`Login failed: the login servers gave no session (status ${status}).`);
    expect(next).toContain('DIAGNOSTICS_AUTH_URL');
  });

  test('of a session names the time before which nobody logs in', () => {
    expect(said(new SessionRefused(AT))).toMatchObject({
      next: expect.stringContaining('09:35'),
      retry: true,
    });
    expect(said(new SessionRefused())).toMatchObject({
      next: expect.not.stringContaining('no earlier'),
      retry: true,
    });
  });

  test('that names a time says when, and no more of the tries or the snapshot than is known', () => {
    for (const fault of [new ServiceFailed('login servers', 503, AT), new RateLimited(AT)]) {
      expect(said(fault).next).toMatch(/^Try again after .*09:35/);
    }
    expect(said(new ServiceFailed('login servers', 503)).next).toBe('Try again in a few minutes.');
    const words = [new ServiceFailed('login servers', 503), new RateLimited(AT)].map(said);
    for (const { what, next } of words)
      expect(`${what} ${next}`).not.toMatch(/several|too many|not the cause/);
  });

  test('of a document without checks does not blame a proxy', () => {
    expect(said(new NotADocument('no-diagnostics')).next).toMatch(/analysis may have failed/);
    expect(said(new NotADocument('broken')).next).toMatch(/proxy/);
  });

  test.each([
    [32 * 1024 * 1024, '32 MB or more'],
    [5.7 * 1024 * 1024, '5 MB or more'],
  ])('of a size of %i bytes says only what holds for it', (bytes, size) => {
    expect(said(new TooLarge(bytes)).what).toContain(`too large for the bot to read (${size})`);
  });
});

describe('A wait that ends with a fault', () => {
  const lookup = aLookup('one');
  const over = (status: LookupStatus) =>
    messageFor(lookup, status, { operator: OPERATOR, editable: true, isPrivate: false, channel: 'C1' }).text;
  const troubled = (trouble: Fault) => over({ kind: 'timed-out', reason: '', trouble });

  test('says what happened, and nothing of a snapshot that nobody could read', () => {
    const refused = troubled(new LoginRefused(302, AT));
    expect(refused).toContain('There is still no result for snapshot 26808463 after 1 minute.');
    expect(refused).toContain('the service rejected the bot’s account');
    expect(troubled(new ServiceFailed('diagnostics service', 503))).toContain('failed (status 503)');
    for (const text of [refused, troubled(new RateLimited(AT))]) expect(text).not.toMatch(/not ready|cause/);
    expect(over({ kind: 'timed-out', reason: '' })).toContain('is still not ready after 1 minute.');
  });

  test('is told the same way to those who waited', () => {
    const trouble = new RateLimited(AT);
    const reply = overMessage(['U1'], lookup, { kind: 'timed-out', reason: '', trouble });
    expect(reply.text).toContain('There is still no result for snapshot 26808463.');
  });
});
