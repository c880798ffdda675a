import { CannotStart, errorCode, isFault } from '../core/faults.ts';
import { reasonOf } from '../ops/health.ts';
import { faultSentence } from '../slack/report/faults.ts';

const MARKS = { failure: '✗', warning: '!', ok: '✓' };
type Level = keyof typeof MARKS;

/** One line of the doctor: what it found and, for a problem, how to repair it. Contains no secret. */
export type Finding = {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  readonly repair?: string;
};

export const ok = (area: string, what: string): Finding => ({ area, level: 'ok', what });

const problem = (level: Level) => (area: string, what: string, repair: string) => ({
  ...{ area, level, what, repair },
});
/** A problem that does not stop the bot, as far as the doctor knows. */
export const warning = problem('warning');
/** A problem that stops the bot. */
export const failure = problem('failure');

/** Values for the sentences that tell users to ask an operator. `FOR_USERS` then removes that advice. */
const OPERATOR = { contact: 'your bot admin', loginUrl: 'DIAGNOSTICS_LOGIN_URL' };
/** Matches parts of sentences that only make sense for users. */
const FOR_USERS = /ask your bot admin to | To avoid locking .*/gi;
/** Matches Slack's markup of a link or a time; the label remains, or the URL if there is none. */
const MARKUP = /<(?:[^<>|]{0,300}\|)?([^<>|]{1,300})>/g;
/** During setup a 404 can also mean a wrong base URL. */
const NOT_FOUND =
  'check the id; if the snapshot is there, DIAGNOSTICS_BASE_URL is not the address of the service’s API';
const STORE =
  'check that Redis runs and has memory, and the address and the password in REDIS_URL, redis:// or rediss://; without Redis, the disk with DATA_DIR';

/** Runs a check. Faults and errors that would prevent a start become failures; any other error is thrown. */
export async function findingsOf(area: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof CannotStart) return [failure(error.setting, error.what, error.repair)];
    if (!isFault(error)) throw error;
    if (error.code === 'storage-failed') return [failure(area, reasonOf(error), STORE)];
    const { what, next } = faultSentence(error, OPERATOR);
    const repair = next.replace(MARKUP, '$1').replaceAll(FOR_USERS, '');
    const isUnknown = error.code === 'snapshot-not-found';
    return [failure(area, `${what} (${errorCode(error)})`, isUnknown ? NOT_FOUND : repair)];
  }
}

/** The findings as lines for a terminal, with a count of each level. */
export function asText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ area, level, what, repair }) =>
      `${MARKS[level]} ${area}: ${what}${repair === undefined ? '' : `\n    → ${repair}`}\n`,
  );
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return `${lines.join('')}\n${count('failure')} failed, ${count('warning')} to look at, ${count('ok')} fine\n`;
}
