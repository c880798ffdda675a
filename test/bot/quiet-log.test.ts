import { expect } from 'vitest';
import { USER_SECRET } from '../emulators/diagnostics-service/account.ts';
import { isRecord, string } from '../emulators/slack/json.ts';
import { MODES, reads, small } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { test } from '../support/conversation.ts';
import { ENTRY_POINTS, ENTRY_POINTS_WITHOUT_CHANNEL, prepare } from '../support/entry-points.ts';
import type { World } from '../support/world.ts';

const STATE_KEY = Buffer.alloc(32, 'q').toString('base64');
/** Words of the results that the test looks up. */
const OF_RESULTS = ['edge-7.example.com', 'chs777'];

/** Everything that the log must not contain, in each form that it could take there. */
function secretsOf({ slack }: World): string[] {
  const payloads = slack.records.deliveries.map(({ payload }) => payload);
  const urls = payloads.flatMap(({ response_url, response_urls }) => [
    string(response_url),
    ...(Array.isArray(response_urls)
      ? response_urls.filter(isRecord).map((one) => string(one.response_url))
      : []),
  ]);
  const paths = urls.filter((url) => url !== '').map((url) => new URL(url).pathname);
  const titles = slack.records.calls
    .flatMap(
      ({ args }) =>
        /(?:Critical|High|Medium|Low) · (?:[DH]\d[\d-]+) · ([^\n]{12,60})/.exec(string(args.text))?.[1] ?? [],
    )
    .map((title) => title.slice(0, 30));
  const plain = [
    slack.botToken,
    slack.appToken,
    slack.signingSecret,
    USER_SECRET,
    STATE_KEY,
    ...paths,
    ...titles,
  ];
  return [...new Set([...plain, ...OF_RESULTS])].flatMap((text) => [
    text,
    text.replaceAll('/', '\\/'),
    encodeURIComponent(text),
  ]);
}

test.for(MODES)(
  'At level trace, over %s, the log holds no secret and no text of a result, whatever is done or fails',
  async (mode, { open }) => {
    const world = await open({ mode, variables: { LOG_LEVEL: 'trace', STATE_KEY } });
    const { slack, service } = world;
    const there = await prepare(world, 'ana');
    for (const enter of Object.values({ ...ENTRY_POINTS, ...ENTRY_POINTS_WITHOUT_CHANNEL }))
      await enter(there);
    for (const text of [
      'compare 1010 1011',
      '1001 me',
      '1001 CVE-2026-10000',
      '1001 hihg',
      'help',
      'status',
    ]) {
      await slack.command({ text });
    }
    await reads(world, 'Snapshots 1010');
    await chooseMore(world, there.result, 'Text for the case');
    await modal(world, '"callback_id":"case-text"');
    await slack.click({ message: there.result, actionId: 'own' });
    await slack.command({ text: '1012', channel: 'secret' });
    await reads(world, '1 hit', { channel: 'C0SECRET' });
    slack.failNext('chat.postMessage', { error: 'invalid_blocks' }, { error: 'fatal_error' });
    slack.failNext('response_url', { status: 500 }, 'reset');
    slack.failNext('views.open', { error: 'expired_trigger_id' });
    service.shelve('7001', small());
    service.nextAnswers(['truncate', 'reset', { status: 500 }]);
    await slack.command({ text: '7001' });
    await slack.click({ message: there.result, actionId: 'details-0' });
    await slack.click({ message: there.result, actionId: 'all-hits', user: 'ben' });
    await reads(world, '7001.*1 hit');
    service.switches.loginRefused = true;
    await slack.command({ text: '1003' });
    await slack.sendRaw('nonsense');
    const secrets = secretsOf(world);
    expect(secrets.length).toBeGreaterThan(40);
    const log = world.log.join('');
    expect(world.log.length).toBeGreaterThan(30);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    expect(log).not.toMatch(/ssosession=(?!\[hidden\])/);
    for (const line of world.log) expect(() => JSON.parse(line)).not.toThrow();
    const messages = slack.records.calls.filter(
      ({ method, args }) =>
        (method.startsWith('chat.post') || method === 'chat.update' || method === 'response_url') &&
        args.text !== undefined,
    );
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter(({ args }) => args.parse !== 'none')).toEqual([]);
  },
);
