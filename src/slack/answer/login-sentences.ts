import type { CookieDomainMismatch, LoginRefused, SessionRefused } from '../../core/faults.ts';
import { slackClock } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import type { Operator } from './operator.ts';

/** What happened, whose matter it is and what to do next, in mrkdwn. `retry`: whether asking again may help. */
export type FaultSentence = { readonly what: string; readonly next: string; readonly retry: boolean };

const REJECTIONS: ReadonlySet<number> = new Set([200, 302, 401, 403]);

/** Whether the status of a refused login speaks of the account; every other one may come from a wrong address. */
export function isRejection(status: number): boolean {
  return REJECTIONS.has(status);
}

/** The login servers refused the account, or whoever answers in their place did. */
export function loginRefused(
  { status, coolDownUntil }: LoginRefused,
  { contact, loginUrl }: Operator,
): FaultSentence {
  const isOfAccount = isRejection(status);
  return {
    what: isOfAccount
      ? `Login failed: the service rejected the bot’s account (status ${status}).`
      : `Login failed: the login servers gave no session (status ${status}).`,
    next:
      `Ask ${contact} to check ${isOfAccount ? '' : 'DIAGNOSTICS_AUTH_URL, '}DIAGNOSTICS_USER_ID and ` +
      `DIAGNOSTICS_USER_SECRET, for example by logging in at <${loginUrl}>. ` +
      `To avoid locking the account, I’ll retry after ${slackClock(coolDownUntil)}.`,
    // The time is named instead: before it, a click would only bring the same refusal.
    retry: false,
  };
}

/** The service refused a session that it had just given. */
export function sessionRefused(
  { coolDownUntil }: SessionRefused,
  { contact, loginUrl }: Operator,
): FaultSentence {
  const check =
    `Ask ${contact} to check that DIAGNOSTICS_BASE_URL, DIAGNOSTICS_AUTH_URL and DIAGNOSTICS_VENDOR ` +
    `belong to the same service, and to log in with the account at <${loginUrl}>.`;
  return {
    what: 'The service rejected the bot’s session right after the login.',
    next: coolDownUntil === undefined ? check : `${check} I’ll retry after ${slackClock(coolDownUntil)}.`,
    retry: coolDownUntil === undefined,
  };
}

/** The account is right, and the addresses do not belong together. */
export function cookieDomain(
  { host, domain }: CookieDomainMismatch,
  { contact }: Pick<Operator, 'contact'>,
): FaultSentence {
  return {
    what: `The login succeeded, but its cookies are for ${inert(domain)} and can’t be sent to ${inert(host)}.`,
    next:
      `Ask ${contact} to check that DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL belong together: ` +
      'the account is accepted.',
    retry: false,
  };
}
