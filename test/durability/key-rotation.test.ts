import { expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import { READY, SLOW } from '../support/shelved.ts';

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
/** What docs/operate.md tells to do: the new key opens everywhere, then it seals, then the old one goes. */
const KEY_LISTS = [`${OLD},${NEW}`, `${NEW},${OLD}`, `${NEW}`];

/** Replaces one replica after the other by one with another STATE_KEY; a lookup is accepted in every state between. */
async function roll(
  world: ProcessWorld,
  replicas: BotProcess[],
  environment: Record<string, string>,
  accept: () => Promise<void>,
): Promise<BotProcess[]> {
  const next: BotProcess[] = [];
  for (const [index, replica] of replicas.entries()) {
    const started = await world.start(environment);
    next.push(started);
    world.deliverTo(started, ...replicas.slice(index + 1));
    await replica.end('SIGTERM');
    await accept();
  }
  return next;
}

test.runIf(has('redis-server'))(
  'A key is changed under two replicas: no lookup and no cancel is lost, and nobody sees an error',
  async ({ world }) => {
    const { slack, service } = world;
    const { url } = await world.redis();
    const withKey = (STATE_KEY: string) => ({ REDIS_URL: url, STATE_KEY });
    let replicas = [await world.start(withKey(`${OLD}`)), await world.start(withKey(`${OLD}`))];
    let asked = 0;
    const accept = async () => {
      const id = String(7_000 + asked);
      asked += 1;
      service.shelve(id, SLOW);
      expect((await slack.command({ text: id })).body).toBe('');
      await slack.waitFor(() => slack.messages(SUPPORT)[asked - 1], `the wait for ${id}`);
    };
    await accept();
    for (const keys of KEY_LISTS) {
      // The session is sealed with the first key of its login, and is used as long as that key is in the list.
      expect(service.records.logins).toHaveLength(1);
      replicas = await roll(world, replicas, withKey(keys), accept);
    }
    const unwanted = slack.messages(SUPPORT)[0];
    if (unwanted === undefined) throw new Error('no message');
    await slack.click({ message: unwanted, actionId: 'cancel' });
    const first = () => slack.messages(SUPPORT).find(({ ts }) => ts === unwanted.ts)?.text ?? '';
    await slack.waitFor(() => (first().includes('was cancelled') ? true : undefined), 'the end of the first');
    for (let index = 1; index < asked; index += 1) service.shelve(String(7_000 + index), READY);
    const results = () => slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'));
    await slack.waitFor(() => results()[asked - 2], 'the other results', 30_000);
    for (const { address } of replicas) await atRest(address);
    expect(results()).toHaveLength(asked - 1);
    expect(slack.messages(SUPPORT)).toHaveLength(asked);
  },
  90_000,
);
