import { expect, test } from 'vitest';
import { unfurl } from '../../../../../src/slack/features/unfurl/index.ts';
import { unfurlOf } from '../../../../../src/slack/features/unfurl/preview.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { listening, NOW } from '../../../../support/listening.ts';
import { IN_PROCESS, STORE_AWAY } from '../../../../support/shown-results.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const url = 'https://service.example.com/snapshots/26808463';
const question = { snapshotId: snapshotId('26808463'), set: 'all' } as const;
const TITLES = ['One', 'T'.repeat(400), '*Three*', 'Four'];
const HITS = TITLES.map((title, at) =>
  aDiagnostic({ name: `D${at}`, title, importance: 'HIGH', fixedIn: ['17.1.4'] }),
);
const RESULT = aResult(HITS);
const device = { ...RESULT.device, hostname: 'edge-7', platform: 'C117', chassisSerial: 'chs1' };
const software = { ...RESULT.software, product: 'Product', version: '17.1.3' };
const ready = {
  kind: 'ready' as const,
  result: { ...RESULT, device, software, stated: { hits: 5, misses: 2 } },
  readAt: NOW,
};

/** The title and the fields of a Work Object, as they are shown. */
function read(entity: object | undefined) {
  const { entity_payload: shown } = entity as { entity_payload: EntityPayload };
  const { custom_fields: fields, display_order: order } = shown;
  expect(order).toEqual(fields.map(({ key }) => key));
  expect(new Set(order).size).toBe(order.length);
  return [shown.attributes.title.text, ...fields.map(({ label, value }) => `${label}: ${value}`)];
}
type EntityPayload = {
  attributes: { title: { text: string } };
  custom_fields: { key: string; label: string; value: string }[];
  display_order: string[];
};

/** What the side panel is given when this person opens it for a link. */
async function panel(
  event: object,
  changes: Readonly<Record<string, unknown>> = { lookups: { read: async () => ready } },
) {
  const here = listening(unfurl({ ...featureParts(), unfurl: 'work-object' }), { changes });
  await here.happens('entity_details_requested', {
    ...{ user: 'U1', channel: 'C1', trigger_id: 'T1', app_unfurl_url: url },
    ...event,
  });
  return { args: here.calls[0]?.args, audited: here.of('audit') };
}

const WITH_ID = { external_ref: { id: '26808463' } };

test.each([
  ['by its id', { ...WITH_ID, app_unfurl_url: 'https://service.example.com' }],
  ['by its link, where Slack names no snapshot', { external_ref: { id: 'none' } }],
  ['by the address of the object, where Slack names no link', { app_unfurl_url: undefined, entity_url: url }],
])('The side panel finds a snapshot %s, and names its first three hits', async (_how, event) => {
  const { args, audited } = await panel(event);
  expect(args?.trigger_id).toBe('T1');
  const [title, name, counts, doubt, upgrade, ...hits] = read(args?.metadata as object);
  expect([title, name]).toEqual(['Snapshot 26808463 · edge-7', 'Device: C117 · chs1 · Product 17.1.3']);
  expect(counts).toMatch(/^Counts: 4 hits — 4 high/);
  expect(doubt).toMatch(/^Doubt: The service counts 5 hits in 7 checks but sent 4/);
  expect(upgrade).toMatch(/^Upgrade: 17\.1\.4 fixes 4 of 4 hits/);
  expect(hits.map((hit) => hit.slice(0, 20))).toEqual([
    '▲ High: One (D0)',
    `▲ High: ${'T'.repeat(12)}`,
    '▲ High: *Three* (D2)',
  ]);
  expect(hits[1]).toHaveLength('▲ High: '.length + 300);
  expect(audited).toEqual([[{ event: 'browsed', user: 'U1', channel: 'C1', snapshot: '26808463' }]]);
});

test.each([
  ['is processed again', IN_PROCESS.changes, 'is processing snapshot'],
  ['can’t be read, because the store is away', STORE_AWAY.changes, 'storage'],
])('The side panel says so where its snapshot %s', async (_what, changes, words) => {
  const { args } = await panel(WITH_ID, changes);
  expect(args?.metadata).toBeUndefined();
  expect(args?.error).toEqual({
    ...{ status: 'custom', custom_title: 'Snapshot 26808463' },
    custom_message: expect.stringContaining(words),
  });
});

test('The side panel of an address without a snapshot is left alone', async () => {
  const { args, audited } = await panel({ app_unfurl_url: 'https://service.example.com' });
  expect([args, audited]).toEqual([undefined, []]);
});

test('Under a link stand the device and the counts, or how it is with the snapshot, and a text for who sees no blocks', () => {
  const entities = (known: typeof ready | string) => {
    const made = unfurlOf([{ url, question, known }], 'work-object');
    return 'metadata' in made ? made.metadata.entities : [];
  };
  const [object] = entities(ready);
  expect(object).toMatchObject({ url, app_unfurl_url: url, external_ref: { id: '26808463' } });
  expect(read(object)).toEqual([
    'Snapshot 26808463 · edge-7',
    'Device: C117 · chs1 · Product 17.1.3',
    expect.stringMatching(/^Counts: 4 hits — 4 high/),
  ]);
  expect(read(entities('It waits.')[0])).toEqual(['Snapshot 26808463', 'Status: It waits.']);
  const made = unfurlOf([{ url, question, known: ready }], 'yes');
  const { fallback } = ('unfurls' in made ? made.unfurls[url] : undefined) as { fallback: string };
  expect(fallback).toContain('Snapshot 26808463 · edge-7 · C117 · chs1 · Product 17.1.3 · 4 hits — 4 high');
});
