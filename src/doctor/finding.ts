import type { Fault } from '../core/faults.ts';
import { DEFAULT_CONTACT, faultSentence } from '../slack/answer/fault-sentences.ts';
import { KEY_REPAIR } from '../storage/backend/state-key.ts';

/** The level of a finding: fine, not looked at, worth a look, or broken. */
export type Level = 'ok' | 'unchecked' | 'warning' | 'failure';

const REINSTALL = 'add it under OAuth & Permissions (manifest.yml has it) and reinstall the app';

/** What keeps the bot from working, and what to do; '' where whoever finds it says that. */
const FAILURES = {
  'app-token-refused': '',
  'audit-file-unwritable':
    'check that its folder exists, that its disk has space, and that the user that runs the bot may write there',
  'bot-token-refused': '',
  'bot-unready': 'docs/troubleshoot.md says what to do for each part; until then the bot serves no command',
  configuration: 'set it in the environment or in .env (start from .env.example)',
  'data-file-damaged':
    'the next start sets it aside and begins a new one; restore a backup to keep what was open',
  'data-file-newer': 'run the release that wrote it, or give this one a DATA_DIR of its own',
  'data-file-unreadable': 'give it to the user that runs the bot',
  'data-folder-unwritable': 'choose a folder that the user that runs the bot may write to',
  'host-certificate': 'check the address, and NODE_EXTRA_CA_CERTS if an authority of your own signed it',
  'host-connection': '',
  'host-name': '',
  'login-cookies': '',
  'login-failed': '',
  'login-refused': '',
  'port-forbidden': '',
  'port-taken': '',
  'redis-evicts': 'set maxmemory-policy to noeviction: an evicted key can be an open lookup',
  'redis-forbidden': 'give the user in the address the keys and commands that docs/operate.md names',
  'redis-old': 'use 6.2 or later',
  'redis-password': 'check user and password in the address',
  'redis-replica': 'use the address of the primary, or of a proxy that leads to the present one',
  'redis-refuses':
    'give Redis what it lacks (memory, disk, replicas), or REDIS_URL a database that it has: until then no command is accepted',
  'redis-unreachable': 'check the address, redis:// or rediss:// and the firewall',
  'scope-missing': REINSTALL,
  'snapshot-failed': '',
  'state-key-unusable': '',
  'space-gone': 'make space: without it no command is accepted',
};
/** The same for what is worth a look. */
const WARNINGS = {
  'bot-troubled': 'docs/troubleshoot.md says what to do for each part',
  'certificate-expires': 'the certificate ends soon: tell whoever runs the service',
  'clock-off': 'set it by NTP: Slack refuses requests when it is five minutes off',
  'data-folder-open': '',
  'redis-not-append-only':
    'set appendonly yes: otherwise lookups accepted since the last save are lost when Redis dies',
  'scope-optional': REINSTALL,
  'space-little': 'make space soon',
  'state-key-lacking': KEY_REPAIR,
};
/** Every problem that the doctor can find. A program that reads `--json` tells them apart by these names. */
export const PROBLEMS = { ...FAILURES, ...WARNINGS };
export type Problem = keyof typeof PROBLEMS;

/** One line of the doctor: what was found and, unless it is fine, what to do. Holds no secret. */
export type Finding = {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  /** Which problem it is, for a warning and a failure. */
  readonly problem?: Problem;
  readonly repair?: string;
};

export function ok(area: string, what: string): Finding {
  return { area, level: 'ok', what };
}

/** A problem; `repair` where it differs from time to time. */
export function found(problem: Problem, area: string, what: string, repair?: string): Finding {
  const level = problem in WARNINGS ? 'warning' : 'failure';
  return { area, level, problem, what, repair: repair ?? PROBLEMS[problem] };
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

const WRAPPED = /<[^<>|]{0,3000}\|([^<>]{0,3000})>/g;
const BARE = /<([^<>]{1,3000})>/g;

/** Slack's markup as plain text: links and times by their labels. */
export function plainText(mrkdwn: string): string {
  return mrkdwn
    .replace(WRAPPED, '$1')
    .replace(BARE, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const ASK_FIRST = new RegExp(`^Ask ${DEFAULT_CONTACT} to (.)`);
const ASK_LATER = `ask ${DEFAULT_CONTACT} to `;

/** A fault as plain text for the operator, the one whom everybody else is told to ask. */
export function explainFault(fault: Fault, loginUrl: string): { what: string; repair: string } {
  const operator = { contact: DEFAULT_CONTACT, loginUrl };
  const { what, next } = faultSentence(fault, operator);
  const step = plainText(next).replace(ASK_FIRST, (_, first: string) => first.toUpperCase());
  return { what: plainText(what), repair: step.replaceAll(ASK_LATER, '') };
}
