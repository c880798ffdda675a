import { ConfigProblems, readConfig } from '../../src/config/load-config.ts';
import { VARIABLES } from '../../src/config/settings.ts';
import { plainText } from '../../src/doctor/finding.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { faultSentence } from '../../src/slack/report/faults.ts';
import { EVERY_FAULT, FAULT_KINDS } from './every-fault.ts';
import { EVERY_START_ERROR } from './every-start-error.ts';
import { NEEDED_VARIABLES } from './needed-variables.ts';

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

/** Every metric of the bot's own, with its type and help. */
export async function metricsTable(): Promise<string> {
  const metrics = createMetrics({
    openLookups: async () => 0,
    openFollows: async () => 0,
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

/** What users are told of each kind of fault: its cause, what the log says, the exact words, and what they ask for. */
export function faultSections(): string {
  const operator = { contact: 'your bot admin', loginUrl: 'https://login.example.com' };
  const kinds = Map.groupBy(Object.values(EVERY_FAULT), ({ code }) => code);
  const sections = Array.from(kinds, ([code, faults]) => {
    const sentences = faults.map((fault) => faultSentence(fault, operator));
    const told = Array.from(
      Map.groupBy(sentences, ({ next }) => next),
      ([next, alike]) => `${alike.map(({ what }) => `- ${markdown(what)}\n`).join('')}\n${markdown(next)}`,
    );
    const { example, why } = FAULT_KINDS[code];
    return [`### \`${code}\``, why, `In the log: \`${example.message}\``, ...told].join('\n\n');
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
  for (const name of VARIABLES) {
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
