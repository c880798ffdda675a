import { describe, expect, test } from 'vitest';
import {
  type Fault,
  LoginRefused,
  RateLimited,
  ServiceFailed,
  TooLarge,
} from '../../../../src/core/faults.ts';
import { faultSentence } from '../../../../src/slack/answer/fault-sentences.ts';
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

  test('that names a time says when, and no more of the tries or the snapshot than is known', () => {
    for (const fault of [new ServiceFailed('login servers', 503, AT), new RateLimited(AT)]) {
      expect(said(fault).next).toMatch(/^Try again after .*09:35/);
    }
    expect(said(new ServiceFailed('login servers', 503)).next).toBe('Try again in a few minutes.');
    const words = [new ServiceFailed('login servers', 503), new RateLimited(AT)].map(said);
    for (const { what, next } of words)
      expect(`${what} ${next}`).not.toMatch(/several|too many|not the cause/);
  });

  test.each([
    [32 * 1024 * 1024, '32 MB or more'],
    [5.7 * 1024 * 1024, '5 MB or more'],
  ])('of a size of %i bytes says only what holds for it', (bytes, size) => {
    expect(said(new TooLarge(bytes)).what).toContain(`too large for the bot to read (${size})`);
  });
});
