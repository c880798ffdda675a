import { CannotStart } from '../core/errors.ts';
import { type Fault, isFault } from '../core/faults.ts';
import { faultSentence } from '../slack/report/faults.ts';

const MARKS = { failure: '✗', warning: '!', ok: '✓' };
type Level = keyof typeof MARKS;

/** One line of the doctor: what was found and, unless it is fine, what to do. Holds no secret. */
export type Finding = {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  readonly repair?: string;
};

export const ok = (area: string, what: string): Finding => ({ area, level: 'ok', what });

/** Something that is worth a look: the bot works, as far as it is known. */
export const warning = (area: string, what: string, repair: string): Finding => ({
  ...{ area, level: 'warning', what, repair },
});

/** Something that keeps the bot from working. */
export const failure = (area: string, what: string, repair: string): Finding => ({
  ...{ area, level: 'failure', what, repair },
});

/** What a check finds. What would stop the start, and faults, are failures; any other error is thrown. */
export async function findingsOf(
  area: string,
  loginUrl: string,
  check: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof CannotStart) return [failure(error.setting, error.what, error.repair)];
    if (isFault(error)) return [faultFound(area, error, loginUrl)];
    throw error;
  }
}

const OPERATOR = 'your bot admin';
const ASK = /ask your bot admin to /gi;
/** During setup a 404 can also mean a wrong base URL. */
const NOT_FOUND =
  'check the id; if the snapshot is there, DIAGNOSTICS_BASE_URL is not the address of the service’s API';

/** A fault as the operator reads it: the sentences for users name the operator as the one to ask. */
export function faultFound(area: string, fault: Fault, loginUrl: string): Finding {
  const { what, next } = faultSentence(fault, { contact: OPERATOR, loginUrl });
  const step = withoutMarkup(next).replaceAll(ASK, '');
  const repair = step.charAt(0).toUpperCase() + step.slice(1);
  return failure(area, withoutMarkup(what), fault.code === 'snapshot-not-found' ? NOT_FOUND : repair);
}

const LABELLED = /<[^<>|]{0,3000}\|([^<>]{0,3000})>/g;
const BARE = /<([^<>]{1,3000})>/g;

/** Links and times of Slack's markup by their labels. */
function withoutMarkup(mrkdwn: string): string {
  const plain = mrkdwn.replace(LABELLED, '$1').replace(BARE, '$1');
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** What the doctor ends with: 1 if something fails, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ level }) => level === 'failure') ? 1 : 0;
}

/** The findings as lines for a terminal, and how many of each there are. */
export function asText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ area, level, what, repair }) =>
      `${MARKS[level]} ${area}: ${what}${repair === undefined ? '' : `\n    → ${repair}`}\n`,
  );
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return `${lines.join('')}\n${count('failure')} failed, ${count('warning')} to look at, ${count('ok')} fine\n`;
}
