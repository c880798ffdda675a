import { expect, test } from 'vitest';
import { packed, unpacked } from '../../../src/storage/sealing/packed-text.ts';

test('A text of a usual length is sealed as it is', async () => {
  const usual = 'x'.repeat(399_999);
  expect(await packed(usual)).toBe(usual);
});

test('A longer one is compressed in the fastest way, and is the same again', async () => {
  const long = 'ä'.repeat(400_000);
  const bytes = Buffer.from(await packed(long));
  expect(bytes.length).toBeLessThan(10_000);
  // RFC 1952, 2.3.1: XFL.
  expect(bytes[8]).toBe(4);
  expect(await unpacked(bytes)).toBe(long);
});

test('Only text that begins with both bytes of gzip is decompressed', async () => {
  for (const text of ['', '{"value":"ä"}', '\u001f{}']) expect(await unpacked(Buffer.from(text))).toBe(text);
  await expect(unpacked(Buffer.from([0x1f, 0x8b, 0]))).rejects.toThrow();
});
