import type { VisibleMessage } from '../emulators/slack/model.ts';
import { ask } from './asking.ts';
import type { DemoWorld } from './demo-world.ts';
import { asText, type Meaning, meaningOf } from './reading.ts';

type TourWorld = Pick<DemoWorld, 'slack' | 'service'>;

interface Stop {
  readonly command: string;
  readonly about: string;
  readonly endsAs: Meaning;
  /** An event just before the command. */
  readonly first?: (world: TourWorld) => string;
}

/** A few commands that show the kinds of answers. */
const STOPS: readonly Stop[] = [
  { command: '/snapshot 1001', about: 'A snapshot whose analysis is ready.', endsAs: 'result' },
  {
    command: '/snapshot 1003',
    about:
      'One that needs another 8 seconds. The bot asks again after 10, not sooner, and edits its message.',
    endsAs: 'result',
    first: ({ service }) => {
      service.restartProcessing('1003');
      return '';
    },
  },
  { command: '/snapshot 1002', about: 'Good news.', endsAs: 'result' },
  {
    command: '/snapshot 1014 1015',
    about: 'A pair: what both units have, and what only one has.',
    endsAs: 'result',
  },
  {
    command: '/snapshot 1014 1016 1017 1007',
    about: 'A cluster: one runs an older release, one takes 8 seconds, and one may not be read.',
    endsAs: 'result',
    first: ({ service }) => {
      service.restartProcessing('1017');
      return '';
    },
  },
  { command: '/snapshot 9999', about: 'A snapshot that nobody knows.', endsAs: 'other' },
  {
    command: '/snapshot 1010',
    about: 'The bot has to log in again, once, and nobody notices.',
    endsAs: 'result',
    first: ({ service }) => {
      service.expireSessions();
      return 'The service ends every session.';
    },
  },
];

const CHANNEL = 'support';
const USER = 'ana';

/**
 * Runs the tour and prints what Slack would show. Calls `announce` before each stop. True if every stop ended as
 * expected and no rule was broken.
 */
export async function runTour(
  world: TourWorld,
  write: (line: string) => void,
  announce: (stop: string) => Promise<unknown> = async () => {},
): Promise<boolean> {
  const started = performance.now();
  const clock = () => `${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s`;
  let asExpected = true;
  for (const stop of STOPS) {
    write(`\n${'━'.repeat(88)}\n${clock()}  ${stop.about}`);
    const event = stop.first?.(world) ?? '';
    if (event !== '') write(`${clock()}  ${event}`);
    write(`${clock()}  ${USER} types in #${CHANNEL}: ${stop.command}\n`);
    await announce(`${stop.about} ${stop.command}`);
    const show = (message: VisibleMessage) => write(`${indented(asText(message), clock())}\n`);
    const answer = await ask(world.slack, { command: stop.command, channel: CHANNEL, user: USER }, show);
    if (meaningOf(answer) === stop.endsAs) continue;
    asExpected = false;
    write('That is not the answer that was expected here.');
  }
  return report(world, write) && asExpected;
}

function indented(text: string, time: string): string {
  const [first = '', ...rest] = text.split('\n');
  return [`${time}  │ ${first}`, ...rest.map((line) => `${' '.repeat(time.length)}  │ ${line}`)].join('\n');
}

/** Prints the breaches of the rules of Slack and of the service; true if there are none. */
function report({ slack, service }: TourWorld, write: (line: string) => void): boolean {
  const { logins, requests } = service.records;
  const breaches = [...service.records.breaches, ...slack.records.breaches];
  write('━'.repeat(88));
  write(
    `The tour is over: ${requests.length} requests to the service, ${logins.length} logins, ` +
      `${slack.records.calls.length} calls to Slack, ${breaches.length} breaches of their rules.`,
  );
  for (const breach of breaches) write(`  ${breach}`);
  return breaches.length === 0;
}
