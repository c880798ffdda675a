/** The level of a finding: fine, worth a look, or broken. */
export type Level = 'ok' | 'warning' | 'failure';

/** One line of the doctor: what was found and, unless it is fine, what to do. Holds no secret. */
export type Finding = {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  readonly repair?: string;
};

export function ok(area: string, what: string): Finding {
  return { area, level: 'ok', what };
}

export function warning(area: string, what: string, repair: string): Finding {
  return { area, level: 'warning', what, repair };
}

export function failure(area: string, what: string, repair: string): Finding {
  return { area, level: 'failure', what, repair };
}

const MARKS: Record<Level, string> = { ok: '✓', warning: '!', failure: '✗' };

/** The findings as lines for a terminal, and how many of each there are. */
export function asText(findings: readonly Finding[]): string {
  const lines = findings.map(({ area, level, what, repair }) => {
    const line = `${MARKS[level]} ${area}: ${what}`;
    return repair === undefined ? line : `${line}\n    → ${repair}`;
  });
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return `${lines.join('\n')}\n\n${count('failure')} failed, ${count('warning')} to look at, ${count('ok')} fine\n`;
}
