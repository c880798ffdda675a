import { expect, test } from 'vitest';
import { packed, unpacked } from '../../../src/storage/backend/sealed-values.ts';

/** A text whose JSON has this length: quotation marks stand around it. */
const withJsonOf = (length: number, letter: string) => letter.repeat(length - 2);

test('A value of a usual length is sealed as its JSON is', async () => {
  const usual = withJsonOf(399_999, 'x');
  expect(await packed(usual)).toBe(JSON.stringify(usual));
});

test('A longer one is compressed in the fastest way, and is the same again', async () => {
  for (const jsonLength of [400_000, 4_000_000]) {
    const long = withJsonOf(jsonLength, 'ä');
    const bytes = Buffer.from(await packed(long));
    expect(bytes.length).toBeLessThan(jsonLength / 40);
    // RFC 1952, 2.3.1: XFL.
    expect(bytes[8]).toBe(4);
    expect(JSON.parse(await unpacked(bytes))).toBe(long);
  }
});

test('Only text that begins with both bytes of gzip is decompressed', async () => {
  for (const text of ['', '{"value":"ä"}', '\u001f{}']) expect(await unpacked(Buffer.from(text))).toBe(text);
  await expect(unpacked(Buffer.from([0x1f, 0x8b, 0]))).rejects.toThrow();
});
