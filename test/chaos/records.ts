import type { LoginRecord } from '../emulators/diagnostics-service/types.ts';
import type { Recorders } from './chaos-world.ts';
import type { Typed } from './storm.ts';

/** The most recent lines about a lookup that are printed. */
const MOST_LINES = 30;
const LONGEST_LINE = 200;

/** What the emulators recorded about a command: one line each, in the order of time. */
export function recordsOf(
  { slack, service, replicas = [] }: Recorders,
  { snapshotId, channel, user, deliveries }: Typed,
) {
  const lines: [at: number, what: string][] = [
    ...deliveries.map(({ at, acknowledged, status, error, body, ms }): [number, string] => [
      at,
      `delivered: ${acknowledged ? 'acknowledged' : (error ?? 'refused')} ${status} after ${Math.round(ms)} ms ${body}`,
    ]),
    ...service.records.requests
      .filter(({ id }) => id === snapshotId)
      .map(({ arrivedAt, status }): [number, string] => [arrivedAt, `service: ${status}`]),
    ...slack.records.calls
      .filter(({ args }) => JSON.stringify(args).includes(snapshotId))
      .map(({ at, method, args, status, answer, isUnheard, ms = 0 }): [number, string] => [
        at,
        `${method} to ${args.channel ?? 'a response URL'}: ${String(args.text).slice(0, 60)} → ${status} after ${Math.round(ms)} ms${isUnheard ? ', unheard' : ''} ${JSON.stringify(answer)}`,
      ]),
    ...replicas.flatMap(({ ends }) =>
      ends.map(({ signal, at }): [number, string] => [at, `a process was gone after ${signal}`]),
    ),
  ];
  const began = Math.min(...lines.map(([at]) => at));
  const shown = lines
    .sort(([one], [other]) => one - other)
    .slice(0, MOST_LINES)
    .map(([at, what]) => `    ${at - began} ms: ${what.slice(0, LONGEST_LINE)}`);
  return [`    ${user} in ${channel}, at ${new Date(began).toISOString()}`, ...shown].join('\n');
}

/** A breach of the service's rules, followed by all requests for the same snapshot. */
export function breachOf({ service }: Recorders, breach: string): string {
  const asked = /snapshots\/(\d+)/.exec(breach)?.[1];
  const lines = service.records.requests
    .filter(({ id }) => id !== undefined && id === asked)
    .slice(-MOST_LINES)
    .map(({ arrivedAt, status }) => `    ${new Date(arrivedAt).toISOString()}: ${status ?? 'no answer'}`);
  return [`service: ${breach}`, ...lines].join('\n');
}

/** The outcomes of commands and mentions, each with its number. */
export function outcomesOf(typed: readonly Typed[]): string[] {
  const counts = new Map<string, number>();
  for (const { deliveries, isMention } of typed) {
    const told = deliveries.map(
      ({ error, body }) => error ?? (body === '' ? 'acknowledged' : body.slice(0, 90)),
    );
    const name = `${isMention ? 'mention' : 'command'}: ${told.join(', then ')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
}

/** A sentence for each login that began before the previous login was answered. */
export function simultaneousLogins(logins: readonly LoginRecord[]): string[] {
  return logins.flatMap(({ arrivedAt }, index) => {
    const before = logins[index - 1];
    const isAlone = before === undefined || (before.answeredAt ?? before.arrivedAt) <= arrivedAt;
    return isAlone ? [] : [`two logins at once, at ${new Date(arrivedAt).toISOString()}`];
  });
}
