import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Question } from '../../../src/core/lookup.ts';
import { documentAround } from '../../emulators/diagnostics-service/shapes.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;
const ONE: Question = { snapshotId: snapshotId('1012'), set: 'all' };

test.for([
  [documentAround('<diagnostics/>'), 'text/html', undefined],
  ['', 'text/html', 'empty'],
  ['{}', 'text/html', 'json'],
  ['Busy', 'text/plain', 'not-xml'],
  ['<answer/>', 'application/xhtml+xml', 'html'],
  ['<answer/>', 'application/xml', 'wrong-root'],
] as const)('What the body %j as %s is taken for: %s', async ([body, type, reason], { open }) => {
  const { service, client } = await open();
  const answer = { status: 200, headers: { 'content-type': type }, body };
  service.nextAnswers([answer, answer]);
  const outcome = await client.diagnostics(ONE).catch((error: unknown) => error);
  expect(outcome).toMatchObject(reason === undefined ? { kind: 'ready' } : { reason });
  expect(service.records.logins).toHaveLength(reason === 'html' ? 2 : 1);
});

test('The reason of a 202 is read in the encoding that its header names', async ({ open }) => {
  const { service, client } = await open();
  const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
  service.nextAnswers([{ status: 202, headers, body: Buffer.from('Zürich', 'latin1') }]);
  expect(await client.diagnostics(ONE)).toMatchObject({ kind: 'processing', reason: 'Zürich' });
});

test.for([
  ['gzip that nobody asked for', (xml: string) => gzipSync(xml), { 'content-encoding': 'gzip' }],
  ['UTF-16 with a byte order mark', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le'), {}],
  ['the other UTF-16', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16(), {}],
  [
    'UTF-16 that only its header names',
    (xml: string) => Buffer.from(xml, 'utf16le'),
    { 'content-type': 'application/xml; charset=utf-16le' },
  ],
  ['UTF-8 below 40 KB of headers', (xml: string) => Buffer.from(xml), { 'x-long': 'x'.repeat(40_000) }],
] as const)('A document in %s is read', async ([, encoded, headers], { open }) => {
  const { service, client } = await open();
  const xml = '<diagnostic_output><diagnostics><diagnostic name="Zürich"/></diagnostics></diagnostic_output>';
  service.nextAnswers([{ status: 200, headers, body: encoded(xml) }]);
  const answer = await client.diagnostics(ONE);
  expect(answer).toMatchObject({ kind: 'ready', result: { diagnostics: [{ name: 'Zürich' }] } });
});
