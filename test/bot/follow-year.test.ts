import { expect } from 'vitest';
import { fromBot } from '../support/bot-messages.ts';
import { ask, SUPPORT, test } from '../support/conversation.ts';
import { advanceClock, DAY_MS, follow, followOutcome, shelveAnalysis } from '../support/following.ts';

const FORTNIGHTS = 26;
/** A follow ends after 60 days, so it is renewed after every fourth fortnight. */
const AGAIN_EVERY = 4;
const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];

/** Pseudo-random numbers, the same in every run. */
function numbers() {
  let last = 7;
  return (below: number) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % below;
  };
}

type Hits = Readonly<Record<string, string>>;

/** How many hits are new, rated differently and cleared, as `2 1 0`. */
function changesOf(was: Hits, is: Hits): string {
  const added = Object.keys(is).filter((name) => was[name] === undefined);
  const changed = Object.keys(is).filter((name) => was[name] !== undefined && was[name] !== is[name]);
  const cleared = Object.keys(was).filter((name) => is[name] === undefined);
  return [added, changed, cleared].map(({ length }) => length).join(' ');
}

/** The three counts of the bot's sentence, in the form of `changesOf`. */
function saidIn(text: string): string {
  const of = (what: string) => /(\d+)/.exec(text.match(`\\d+ ${what}`)?.[0] ?? '0')?.[1];
  return ['new', 'rated differently', 'cleared'].map(of).join(' ');
}

test('A person who follows a snapshot for a year is told of each change once, and of nothing else', async ({
  world,
}) => {
  const random = numbers();
  const anyHits = (): Hits =>
    Object.fromEntries([1, 2, 3].map(() => [`D${1 + random(9)}`, LEVELS[random(4)] ?? '']));
  let known = anyHits();
  shelveAnalysis(world, '2001', known);
  const message = await ask(world, '2001');
  await follow(world, message, 'any');
  const expected: string[] = [];
  for (let at = 1; at <= FORTNIGHTS; at += 1) {
    const hits = random(3) === 0 ? known : anyHits();
    shelveAnalysis(world, '2001', hits);
    const changes = changesOf(known, hits);
    if (changes !== '0 0 0') expected.push(changes);
    known = hits;
    await advanceClock(world, 14 * DAY_MS);
    await followOutcome(world, changes === '0 0 0' ? 'quiet' : 'told');
    if (at % AGAIN_EVERY === 0) await follow(world, await ask(world, '2001'), 'any');
  }
  const words = fromBot(world, SUPPORT).filter(({ text }) => text.startsWith('<@U0BEN> Snapshot 2001'));
  expect(words.map(({ text }) => saidIn(text.split('\n')[0] ?? ''))).toEqual(expected);
  expect(expected.length).toBeGreaterThan(10);
});
