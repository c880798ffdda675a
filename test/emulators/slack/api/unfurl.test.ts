import { afterEach, expect, test } from 'vitest';
import { record } from '../json.ts';
import { type BareBot, startBareBot } from '../testing/bare-bot.ts';

const LINK = 'https://service.example.com/snapshots/1012';
const preview = (text: string) => ({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] });

let bareBot: BareBot;
afterEach(() => bareBot.close());

/** Posts a link, and gives the event of it with the message. */
async function pasted(...options: Parameters<typeof startBareBot>) {
  bareBot = await startBareBot(...options);
  const { message, deliveries } = await bareBot.slack.say({ text: `<${LINK}>`, channel: 'C0RANDOM' });
  return { message, event: record(deliveries[0]?.payload.event) };
}

test('a link of the app’s domains is told, also where the bot is no member; others and its own are not', async () => {
  const { event, message } = await pasted();
  expect(event).toMatchObject({
    ...{ type: 'link_shared', channel: 'C0RANDOM', user: 'U0ANA', message_ts: message.ts },
    ...{ is_bot_user_member: false, source: 'conversations_history' },
    links: [{ domain: 'service.example.com', url: LINK }],
  });
  expect((await bareBot.slack.say({ text: 'https://example.com/1012' })).deliveries).toEqual([]);
  await bareBot.call('chat.postMessage', { channel: 'C0SUPPORT', text: LINK });
  expect(bareBot.received).toHaveLength(1);
});

test('what stands under a link can be changed and not removed, for exactly the links of the event', async () => {
  const { event, message } = await pasted();
  const target = { unfurl_id: event.unfurl_id, source: event.source };
  const unfurl = (url: string, shown: object) =>
    bareBot.call('chat.unfurl', { ...target, unfurls: { [url]: shown } });
  const shown = () => bareBot.slack.messages('C0RANDOM').find(({ ts }) => ts === message.ts)?.unfurls;
  expect(await unfurl(LINK, preview('one'))).toMatchObject({ ok: true });
  expect(await unfurl(LINK, preview('two'))).toMatchObject({ ok: true });
  expect(shown()).toEqual({ [LINK]: preview('two') });
  expect(bareBot.slack.records.breaches).toEqual([]);
  expect(await unfurl(LINK, {})).toMatchObject({ error: 'invalid_blocks' });
  expect(shown()).toEqual({ [LINK]: preview('two') });
  expect(await unfurl(`${LINK}/`, preview('three'))).toMatchObject({ error: 'cannot_unfurl_url' });
  expect(await unfurl(LINK, preview(''))).toMatchObject({ error: 'invalid_blocks' });
  expect(bareBot.slack.records.breaches).toHaveLength(3);
});

test('a message that was edited or deleted since takes no preview, which is no breach', async () => {
  const { event, message } = await pasted();
  const unfurl = () =>
    bareBot.call('chat.unfurl', {
      ...{ unfurl_id: event.unfurl_id, source: event.source },
      unfurls: { [LINK]: preview('late') },
    });
  await bareBot.slack.edit(message, 'nothing');
  expect(await unfurl()).toMatchObject({ error: 'cannot_unfurl_url' });
  bareBot.slack.remove(message);
  expect(await unfurl()).toMatchObject({ error: 'cannot_unfurl_message' });
  expect(bareBot.slack.records.breaches).toEqual([]);
});

test('a Work Object needs its fields, and its side panel the same entity', async () => {
  const { event, message } = await pasted({ hasWorkObjects: true });
  const entity = {
    ...{ entity_type: 'slack#/entities/item', url: LINK, app_unfurl_url: LINK, external_ref: { id: '1012' } },
    entity_payload: { attributes: { title: { text: 'Snapshot 1012' } } },
  };
  const unfurl = (changes: object) =>
    bareBot.call('chat.unfurl', {
      ...{ unfurl_id: event.unfurl_id, source: event.source },
      metadata: { entities: [{ ...entity, ...changes }] },
    });
  expect(await unfurl({ external_ref: {} })).toMatchObject({ error: 'invalid_metadata' });
  expect(await unfurl({})).toMatchObject({ ok: true });
  const { payload } = await bareBot.slack.openPanel({ message, url: LINK });
  const trigger_id = record(payload.event).trigger_id;
  const other = { ...entity, external_ref: { id: '1' } };
  expect(await bareBot.call('entity.presentDetails', { trigger_id, metadata: other })).toMatchObject({
    error: 'entity_metadata_does_not_match_trigger',
  });
  const again = record((await bareBot.slack.openPanel({ message, url: LINK })).payload.event);
  await bareBot.call('entity.presentDetails', { trigger_id: again.trigger_id, metadata: entity });
  expect(bareBot.slack.panel()).toEqual(entity);
  await bareBot.slack.openPanel({ message, url: LINK });
  expect(bareBot.slack.panel(), 'empty until the app gives something').toBeUndefined();
  expect(bareBot.slack.records.breaches).toHaveLength(2);
});
