import { type BenchWorld, openBenchWorld } from './bench-world.ts';
import { atMost, type Measurement } from './row.ts';

const FLOOD = 1_500;
const FLOOD_MS = 10_000;
const OTHERS = 40;

/** Types one person's commands at an even pace in #support, where nobody else types. */
async function flood({ slack }: BenchWorld): Promise<void> {
  const sent: Promise<unknown>[] = [];
  const began = performance.now();
  while (sent.length < FLOOD) {
    const due = Math.min(FLOOD, Math.ceil(((performance.now() - began) / FLOOD_MS) * FLOOD));
    while (sent.length < due) sent.push(slack.command({ text: '1001 hit', user: 'ana', channel: 'support' }));
    await new Promise((done) => setTimeout(done, 10));
  }
  await Promise.all(sent);
}

/** Types one command for each other person. Returns the times of the slowest acknowledgement and the slowest answer. */
async function others({ slack }: BenchWorld): Promise<{ ackMs: number; answerMs: number }> {
  const times = Array.from({ length: OTHERS }, async (_, index) => {
    await new Promise((done) => setTimeout(done, (FLOOD_MS / OTHERS) * index));
    const channel = `C0OTHER${index}`;
    slack.addChannel(channel);
    const began = performance.now();
    const { ms } = await slack.command({ text: '1012', user: `more${index}`, channel });
    const answer = () => slack.messages(channel).find(({ text }) => text.includes('1 hit'));
    await slack.waitFor(answer, 'an answer beside the flood', 60_000);
    return { ackMs: ms, answerMs: performance.now() - began };
  });
  const all = await Promise.all(times);
  return {
    ackMs: Math.max(...all.map(({ ackMs }) => ackMs)),
    answerMs: Math.max(...all.map(({ answerMs }) => answerMs)),
  };
}

/** Measures how long other people wait while one person floods the bot, with the default COMMANDS_PER_MINUTE. */
export const FLOODED: Measurement = {
  names: ['flood'],
  run: async (report, profileDir) => {
    const bench = await openBenchWorld('this bot', { profileDir, perMinute: 30, people: OTHERS });
    const before = bench.subject.processorMs();
    const [, slowest] = await Promise.all([flood(bench), others(bench)]);
    const each = (bench.subject.processorMs() - before) / (FLOOD + OTHERS);
    await bench.close();
    const { ackMs, answerMs } = slowest;
    const took = `acknowledged within ${ackMs.toFixed(0)} ms, answered within ${answerMs.toFixed(0)} ms`;
    report(`${OTHERS} others ${took}; ${each.toFixed(2)} ms of processor a command`);
    const row = (what: string, must: number, value: number) =>
      atMost('flood', `${FLOOD} commands of one person in ten seconds: ${what}`, 'ms', { must }, value);
    return [
      row(`slowest acknowledgement of ${OTHERS} others`, 1_000, ackMs),
      row(`slowest answer of ${OTHERS} others`, 5_000, answerMs),
    ];
  },
};
