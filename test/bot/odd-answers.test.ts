import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { documentAround, documentWithHit } from '../emulators/diagnostics-service/shapes.ts';
import type { Reply } from '../emulators/diagnostics-service/types.ts';
import { ask, test as sequential, shown, stumble } from '../support/conversation.ts';
import { processing, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;

const HIT = documentWithHit(
  '<run_data><h_importance>HIGH</h_importance><match>true</match></run_data><results><h_header>Größe</h_header></results>',
);

function document(body: string | Buffer, headers: Record<string, string> = {}): Reply {
  return { status: 200, headers, body };
}

const foreign = HIT.replace('<run_data>', '<run_data><x:match xmlns:x="urn:y">false</x:match>')
  .replace('<results>', '<results><h_header xmlns="urn:y">Other</h_header>')
  .replace('name="D000162521"', 'name="D000162521" xmlns:d="urn:z" d:name="OTHER"');
const deep = HIT.replace('<run_data>', `<extra>${'<e>'.repeat(60)}${'</e>'.repeat(60)}</extra><run_data>`);

test.for([
  ['has names of other namespaces', document(foreign)],
  ['has an extension that nests deep', document(deep)],
  [
    'has a prefix on its root alone',
    document(
      HIT.replace(/(<\/?)(?=diagnostic_output>)/g, '$1n:').replace(
        'n:diagnostic_output>',
        'n:diagnostic_output xmlns:n="urn:a">',
      ),
    ),
  ],
  [
    'begins with the byte order mark of UTF-8, whatever its header names',
    document(Buffer.from(`\uFEFF${HIT}`), { 'content-type': 'application/xml; charset=ISO-8859-1' }),
  ],
  ['comes below 40 KB of headers', document(HIT, { 'x-long': 'x'.repeat(40_000) })],
] as const)('A document that %s is read as what it says', async ([_, answer], { open }) => {
  const world = await open();
  world.service.nextAnswers([answer]);
  const { text, blocks } = await ask(world, '1012');
  expect(text).toContain('1 hit');
  expect(JSON.stringify(blocks)).toContain('Größe');
  expect(JSON.stringify(blocks)).not.toMatch(/OTHER|Other/);
  expect(world.service.records.requests).toHaveLength(1);
});

const zipped = gzipSync(documentAround(`<diagnostics>${'<diagnostic name="D1"/>'.repeat(50)}</diagnostics>`));

test('A compressed document that breaks off is asked for again, like one that is not compressed', async ({
  open,
}) => {
  const world = await open();
  world.service.nextAnswers([document(zipped.subarray(0, 60)), document(zipped.subarray(0, -4))]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.requests).toHaveLength(3);
});

test.for([
  [
    'breaks off four times',
    document(zipped.subarray(0, 60)),
    'closed the connection before its answer was complete',
  ],
  [
    'is damaged four times',
    document(Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8, 7)])),
    'sent an answer that the bot can’t decode',
  ],
  [
    'comes below headers without end four times',
    document(HIT, { 'x-long': 'x'.repeat(100_000) }),
    'sent an answer that the bot can’t decode',
  ],
] as const)('A document that %s is reported as that', async ([_, answer, words], { open }) => {
  const world = await open();
  world.service.nextAnswers([answer, answer, answer, answer]);
  expect((await stumble(world, '1012')).text).toContain(words);
  await shown(world, '1 hit');
});

test.for(['null', 'true', '[]', '{}'])('A 202 whose body is %s states no reason', async (body, { open }) => {
  const world = await open();
  world.service.shelve('7001', SLOW);
  world.service.nextAnswers([{ ...processing(body), headers: { 'content-type': 'application/json' } }]);
  await world.slack.command({ text: '7001' });
  expect((await shown(world, 'is still being processed')).text).not.toContain('says');
});
