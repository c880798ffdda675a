import { readFileSync } from 'node:fs';
import { ConfigProblems, environment, readConfig } from '../../src/config.ts';
import type { Fault } from '../../src/core/faults.ts';
import { plainText } from '../../src/doctor/finding.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { faultSentence } from '../../src/slack/answer/fault-sentences.ts';
import { EVERY_FAULT } from './every-fault.ts';
import { EVERY_START_ERROR } from './every-start-error.ts';
import { NEEDED_VARIABLES } from './needed-variables.ts';

const VARIABLE = /^#?([A-Z][A-Z_]+)=(.*)$/;
/** Values that are wrong for one setting or another. */
const WRONG = [
  'x y',
  '-5',
  '0',
  '99999999',
  'http://example.com',
  'https://example.com/snapshot-analyzer/auth/pub',
  'xapp-1',
  'xoxb-1',
  'xoxp-1',
  ',',
  'c2hvcnQ=',
];

/** The settings as `.env.example` explains them; another test holds that file to the schema. */
export function settingsTable(): string {
  const rows: string[] = [];
  let comment: string[] = [];
  let isAfterVariable = false;
  for (const line of readFileSync('.env.example', 'utf8').split('\n')) {
    const [, name, value = ''] = VARIABLE.exec(line) ?? [];
    if (name !== undefined) {
      const text = comment.join(' ').replaceAll('|', '\\|');
      rows.push(`| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${text} |`);
    } else if (line.startsWith('# ---') || !line.startsWith('# ')) comment = [];
    else comment = isAfterVariable ? [line.slice(2)] : [...comment, line.slice(2)];
    isAfterVariable = name !== undefined;
  }
  return ['| variable | default | what it is |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Every metric of the bot's own, with its type and help. */
export async function metricsTable(): Promise<string> {
  const metrics = createMetrics({
    openLookups: async () => 0,
    openReminders: async () => 0,
    openWatches: async () => 0,
    oldestAcceptedAt: async () => undefined,
    readiness: async () => ({ ready: true, reasons: [] }),
    waitingRequests: () => 0,
    now: Date.now,
  });
  const text = await metrics.text();
  const rows = [...text.matchAll(/^# HELP (snapshot_bot_\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map(
    ([, name, help, type]) => `| \`${name}\` | ${type} | ${help} |`,
  );
  return ['| metric | type | what it says |', '| --- | --- | --- |', ...rows.sort()].join('\n');
}

/** How each fault comes about, for whoever has to repair it. */
const CAUSES: Readonly<Record<Fault['code'], string>> = {
  'login-refused':
    'The login servers gave no session. 200, 302, 401 and 403 speak of the account or its password; any other status rather of the address.',
  'session-refused':
    'The login succeeded, and the API answered 401 or a redirect to the login servers all the same. For one snapshot alone, its owner keeps it from the account. For all, the addresses are of two services, or the account may not use the API; after ten of them in a row nobody asks for a while.',
  'cookie-domain':
    'The login succeeded, but its cookies are for a domain that the host of the API is not in. An alias or a proxy in one of the two addresses does that.',
  forbidden:
    'The service answered 403: the snapshot belongs to an account that does not share it with the bot’s.',
  'snapshot-not-found':
    'The service answered 404: a wrong id, a snapshot that was deleted or is older than about 30 days, or an upload that is still queued. Where the bot has seen it there before, it says when. If every id is told this, DIAGNOSTICS_BASE_URL is wrong: try `npm run doctor -- --snapshot 26808463`.',
  'not-acceptable': 'The service answered 406: it offers no media type of that vendor.',
  'rate-limited': 'The service answered 429, or an earlier answer named a time that has not come.',
  'service-failed': 'The service answered with a status of 500 or more, each time that the bot tried.',
  unreachable:
    'No whole answer came, each time that the bot tried: the name server, the network, the firewall, the proxy or the certificate. What can’t be decoded is no HTTP, is compressed and damaged, or has more than 64 KB of headers: mostly a proxy in between.',
  'unexpected-answer':
    'The answer has a status that the service does not specify, or redirects to a host that no setting names: often a proxy, or another server at that address.',
  'too-large': 'The document is larger than the bot reads.',
  'too-many-diagnostics': 'The document lists more checks than the bot reads.',
  'not-a-document':
    'The answer is a 200, and no XML of an analysis: a sign-in page, a page of a proxy, or an analysis that failed.',
  'storage-failed': 'The disk is full or broken, or Redis does not answer. `/readyz` says which.',
};

/** What users are told of each kind of fault: its cause, the exact words, and what they ask for. */
export function faultSections(): string {
  const operator = { contact: 'your bot admin', loginUrl: 'https://login.example.com' };
  const kinds = Map.groupBy(Object.values(EVERY_FAULT), ({ code }) => code);
  const sections = Array.from(kinds, ([code, faults]) => {
    const sentences = faults.map((fault) => faultSentence(fault, { snapshotId: undefined, operator }));
    const told = Array.from(
      Map.groupBy(sentences, ({ next }) => next),
      ([next, alike]) => `${alike.map(({ what }) => `- ${markdown(what)}\n`).join('')}\n${markdown(next)}`,
    );
    return [`### \`${code}\``, CAUSES[code], ...told].join('\n\n');
  });
  return sections.join('\n\n');
}

/** What is printed when the bot can't start: the sentence, the setting and the repair. */
export function startErrorSections(): string {
  const sections = EVERY_START_ERROR.map(
    ({ setting, what, repair }) => `### ${markdown(what)}\n\n\`${setting}\`: ${markdown(repair)}.`,
  );
  return sections.join('\n\n');
}

/** What can be wrong with each setting, as the start and the doctor say it. */
export function configurationProblems(): string {
  const found = new Set<string>();
  const collect = (variables: Readonly<Record<string, string>>) => {
    try {
      readConfig(variables, () => {
        throw new Error('no such file');
      });
    } catch (error) {
      if (!(error instanceof ConfigProblems)) throw error;
      for (const problem of error.problems) found.add(problem);
    }
  };
  collect({ REDIS_URL: 'redis://localhost', HTTP_PROXY: 'proxy:3128', HTTPS_PROXY: 'proxy:3128' });
  collect({ NODE_TLS_REJECT_UNAUTHORIZED: '0', CONTACT: '<@U1>', SERVICE_CONCURRENCY: '1.5' });
  collect({ ...NEEDED_VARIABLES, OPS_PORT: '3000' });
  for (const name of Object.keys(environment.shape)) {
    for (const value of WRONG) collect({ [name]: value });
    collect({ [name]: 'x', [`${name}_FILE`]: '/nowhere' });
  }
  return [...found]
    .sort()
    .map((problem) => `- ${markdown(problem)}`)
    .join('\n');
}

/** Text that came from elsewhere, so that nothing in it is Markdown. */
function markdown(text: string): string {
  return plainText(text).replace(/([*<>[\]])/g, '\\$1');
}
