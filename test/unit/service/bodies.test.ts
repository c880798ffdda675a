import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { TooLarge } from '../../../src/core/faults.ts';
import { bodyReceiver } from '../../../src/service/connections.ts';
import { eventually } from '../../support/eventually.ts';

const MB = 1024 * 1024;
const CHUNK = Buffer.alloc(MB, 'x');
const failed = (error: unknown) => new Error('failed', { cause: error });

/** A body that counts how many of its chunks were taken, and waits for `gate` before the sixth. */
function body(chunks: number, last = Buffer.alloc(0), gate: Promise<void> = Promise.resolve()) {
  let taken = 0;
  async function* read() {
    for (let index = 0; index < chunks; index += 1) {
      if (index === 5) await gate;
      taken += 1;
      yield CHUNK;
    }
    yield last;
  }
  return { stream: Readable.from(read(), { highWaterMark: 1 }), taken: () => taken };
}

const sizeOf = ({ length }: Uint8Array) => length;

test.each([
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
  [3, 7],
  [32, 0],
])('A body of %i MB and %i bytes is received whole', async (chunks, rest) => {
  const bytes = Buffer.alloc(rest, 'y');
  const received = await bodyReceiver()(
    body(chunks, bytes).stream,
    (whole) => [whole.length, Buffer.from(whole.subarray(chunks * MB)).toString()],
    failed,
  );
  expect(received).toEqual([chunks * MB + rest, 'y'.repeat(rest)]);
});

test('A large body is not joined at its end, which would hold up everybody; a small one is, without a reserve', async ({
  onTestFinished,
}) => {
  const joining = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => joining.mockRestore());
  expect(await bodyReceiver()(body(3).stream, sizeOf, failed)).toBe(3 * MB);
  expect(joining).not.toHaveBeenCalled();
  expect(await bodyReceiver()(body(1).stream, sizeOf, failed)).toBe(MB);
  expect(joining).toHaveBeenCalledTimes(1);
});

test('A body of more than 32 MB is not, and its connection ends', async () => {
  const { stream } = body(32, Buffer.alloc(1));
  const fault = await bodyReceiver()(stream, sizeOf, failed).catch((error: unknown) => error);
  expect(fault).toMatchObject({ message: 'failed', cause: { limitBytes: 32 * MB } });
  expect((fault as Error).cause).toBeInstanceOf(TooLarge);
  expect(stream.destroyed).toBe(true);
});

test('Of large bodies two are received at once; the others wait after their first megabyte, and small ones do not', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const receive = bodyReceiver();
  const large = Array.from({ length: 4 }, () => body(6, undefined, gate));
  const received = large.map(({ stream }) => receive(stream, sizeOf, failed));
  await eventually(() => expect(large.map(({ taken }) => taken()).slice(0, 2)).toEqual([5, 5]));
  expect(await receive(body(1).stream, sizeOf, failed)).toBe(MB);
  for (const { taken } of large.slice(2)) expect(taken()).toBeLessThan(4);
  open();
  expect(await Promise.all(received)).toEqual([6 * MB, 6 * MB, 6 * MB, 6 * MB]);
});

test.each([
  ['large', () => body(2).stream],
  ['compressed', () => Readable.from([gzipSync('small')])],
])('The next %s body begins only when one before it was read', async (_what, next) => {
  const receive = bodyReceiver();
  const { promise: reading, resolve: done } = Promise.withResolvers<void>();
  const began: number[] = [];
  const received = [0, 1, 2].map((index) =>
    receive(
      next(),
      async () => {
        began.push(index);
        await reading;
      },
      failed,
    ),
  );
  await eventually(() => expect(began).toHaveLength(2));
  const small = await receive(body(0).stream, sizeOf, failed);
  expect([small, began.length]).toEqual([0, 2]);
  done();
  await Promise.all(received);
  expect(began).toHaveLength(3);
});

test.each([0, 1, 3])('A body that breaks after %i MB has failed, and frees its place', async (chunks) => {
  const receive = bodyReceiver();
  const reset = new Error('reset');
  async function* broken() {
    for (let index = 0; index < chunks; index += 1) yield CHUNK;
    throw reset;
  }
  for (const _ of [1, 2, 3]) {
    const receiving = receive(Readable.from(broken(), { highWaterMark: 1 }), sizeOf, failed);
    await expect(receiving).rejects.toMatchObject({ message: 'failed', cause: reset });
  }
  expect(await receive(body(3).stream, sizeOf, failed)).toBe(3 * MB);
});

test('A body that was compressed unasked is read as what it was, and one that grows without end is refused', async () => {
  const received = (...chunks: readonly Buffer[]) =>
    bodyReceiver()(Readable.from(chunks), (whole) => Buffer.from(whole).toString(), failed);
  const zipped = gzipSync('<diagnostic_output/>');
  expect(await received(zipped.subarray(0, 5), zipped.subarray(5))).toBe('<diagnostic_output/>');
  expect(await received(gzipSync(randomBytes(2 * MB).toString('base64')))).toHaveLength(
    Math.ceil((2 * MB) / 3) * 4,
  );
  await expect(received(gzipSync(Buffer.alloc(32 * MB + 1)))).rejects.toMatchObject({
    cause: expect.any(TooLarge),
  });
  await expect(received(zipped.subarray(0, 12))).rejects.toMatchObject({ cause: { code: 'Z_BUF_ERROR' } });
});
