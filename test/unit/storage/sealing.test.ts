import { describe, expect, test } from 'vitest';
import { SealBroken, Sealer } from '../../../src/storage/backend/sealer.ts';
import { parseStateKey } from '../../../src/storage/backend/state-key.ts';

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const TEXT = 'ä "quoted" \u0000 \u{1F6A8}';

describe('A sealed text', () => {
  const sealer = new Sealer([NEW, OLD]);
  const sealed = sealer.seal(TEXT, 'answers\u00001');

  test('opens under its stored name, with whichever key sealed it, and is another one each time', () => {
    expect(sealer.open(sealed, 'answers\u00001')).toBe(TEXT);
    expect(sealer.open(new Sealer([OLD]).seal(TEXT, 'here'), 'here')).toBe(TEXT);
    expect(sealer.seal(TEXT, 'answers\u00001')).not.toBe(sealed);
    expect(sealer.open(sealer.seal('', 'here'), 'here')).toBe('');
  });

  test('has an initialization vector that no other text has', () => {
    const texts = Array.from({ length: 600 }, () => sealer.seal('', 'here'));
    const vectors = texts.map((text) => Buffer.from(text.split('.')[2] ?? '', 'base64url').subarray(0, 12));
    expect(new Set(vectors.map((vector) => vector.toString('hex'))).size).toBe(600);
    for (const text of texts) expect(sealer.open(text, 'here')).toBe('');
  });

  test('does not open under another stored name, nor without its key', () => {
    for (const storedName of ['answers\u00002', 'session\u00001', '']) {
      expect(() => sealer.open(sealed, storedName)).toThrow(SealBroken);
    }
    expect(() => new Sealer([OLD]).open(sealed, 'answers\u00001')).toThrow(SealBroken);
  });

  test('does not open when any of its characters was changed, or some are missing', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // The last character of base64 may hold bits that mean nothing.
      if (at < sealed.length - 1)
        expect(() => sealer.open(changed, 'answers\u00001'), `at ${at}`).toThrow(SealBroken);
    }
    for (const length of [0, 1, 10, sealed.length - 5]) {
      expect(() => sealer.open(sealed.slice(0, length), 'answers\u00001')).toThrow(SealBroken);
    }
  });
});

test('A key of STATE_KEY is 32 bytes of base64, and nothing that only looks so', () => {
  const good = Buffer.alloc(32, 0xfb).toString('base64');
  expect(parseStateKey(good)).toEqual(new Uint8Array(32).fill(0xfb));
  expect(parseStateKey(` ${good}\n`)).toEqual(new Uint8Array(32).fill(0xfb));
  const bad = [
    '',
    Buffer.alloc(31, 1).toString('base64'),
    Buffer.alloc(33, 1).toString('base64'),
    Buffer.alloc(32, 0xfb).toString('base64url'),
    good.slice(0, -1),
    `${good.slice(0, 10)} ${good.slice(10)}`,
    `${good.slice(0, 10)}!${good.slice(10)}`,
    `"${good}"`,
    'a password of thirty-two letters',
    // 32 bytes in hex.
    'ab'.repeat(32),
  ];
  for (const text of bad) expect(parseStateKey(text), text).toBeUndefined();
});
