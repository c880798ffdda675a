/** The level of a finding: fine, not looked at, worth a look, or broken. */
export type Level = 'ok' | 'unchecked' | 'warning' | 'failure';

/** Every problem that the doctor can find. A program that reads `--json` tells them apart by these. */
export const PROBLEMS = [
  'app-token-refused',
  'audit-file-open',
  'audit-file-unwritable',
  'bot-token-refused',
  'certificate-expires',
  'clock-off',
  'configuration',
  'data-file-damaged',
  'data-file-newer',
  'data-file-unreadable',
  'data-folder-open',
  'data-folder-unwritable',
  'host-certificate',
  'host-connection',
  'host-name',
  'login-cookies',
  'login-failed',
  'login-refused',
  'port-forbidden',
  'port-taken',
  'redis-evicts',
  'redis-not-append-only',
  'redis-old',
  'redis-password',
  'redis-replica',
  'redis-slow',
  'redis-unreachable',
  'scope-missing',
  'scope-optional',
  'snapshot-failed',
  'space-gone',
  'space-little',
  'state-key-lacking',
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** One line of the doctor: what was found and, unless it is fine, what to do. Holds no secret. */
export type Finding = {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  /** Which problem it is; left out where all is fine. */
  readonly problem?: Problem;
  readonly repair?: string;
};

export function ok(area: string, what: string): Finding {
  return { area, level: 'ok', what };
}

/** What nobody has looked at, and how to. */
export function unchecked(area: string, what: string, repair: string): Finding {
  return { area, level: 'unchecked', what, repair };
}

export function warning(problem: Problem, area: string, what: string, repair: string): Finding {
  return { area, level: 'warning', problem, what, repair };
}

export function failure(problem: Problem, area: string, what: string, repair: string): Finding {
  return { area, level: 'failure', problem, what, repair };
}

/** What the doctor ends with: 1 if something fails, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ level }) => level === 'failure') ? 1 : 0;
}

const MARKS: Record<Level, string> = { ok: '✓', unchecked: '?', warning: '!', failure: '✗' };

/** The findings as lines for a terminal, and how many of each there are. */
export function asText(findings: readonly Finding[]): string {
  const lines = findings.map(({ area, level, what, repair }) => {
    const line = `${MARKS[level]} ${area}: ${what}`;
    return repair === undefined ? line : `${line}\n    → ${repair}`;
  });
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const fine = `${count('unchecked')} not checked, ${count('ok')} fine`;
  return `${lines.join('\n')}\n\n${count('failure')} failed, ${count('warning')} to look at, ${fine}\n`;
}
