import { READY } from '../support/shelved.ts';
import { openBenchWorld } from './bench-world.ts';
import { atMost, type Measurement } from './row.ts';

const WRITES = /^chat\./;

const asked = (what: string, must: number, value: number) => atMost('thrift', what, '', { must }, value);

/** Counts the requests to Slack and to the service that an answer takes. */
export const THRIFT: Measurement = {
  names: ['thrift'],
  run: async () => {
    const bench = await openBenchWorld('this bot');
    const { slack, service } = bench;
    const writes = () => slack.records.calls.filter(({ method }) => WRITES.test(method)).length;
    const result = (id: string) =>
      slack.messages('support').find(({ text }) => text.startsWith(`Snapshot ${id} of `));
    await slack.command({ text: '1012' });
    await slack.waitFor(() => result('1012'), 'the answer');
    const ready = writes();
    service.shelve('7001', { ...READY, processing: { forMs: 3_000 } });
    await slack.command({ text: '7001' });
    await slack.waitFor(() => result('7001'), 'the answer after a wait', 30_000);
    const waited = writes() - ready;
    service.shelve('7002', { ...READY, processing: { forMs: 5_000 } });
    const channels = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? 'support' : '@ana'));
    const requests = () => service.records.requests.filter(({ id }) => id === '7002').length;
    await Promise.all(channels.map((channel) => slack.command({ text: '7002', channel })));
    await slack.waitFor(() => result('7002'), 'the answer for all', 60_000);
    const shared = requests();
    await bench.close();
    return [
      asked('writes to Slack for a snapshot that is ready', 1, ready),
      asked('writes to Slack for one that is waited for', 2, waited),
      asked('requests for a snapshot that 1,000 people wait for (one person: 2)', 2, shared),
    ];
  },
};
