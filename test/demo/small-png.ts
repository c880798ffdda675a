import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;
const COMMONEST = 160;
const PALETTE_TYPE = 3;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** One colour a pixel, as 0xrrggbb. */
  readonly pixels: Uint32Array;
}

/** The same picture in at most 256 colours, which is a third of the size for a picture of a page. */
export function smallPng(png: Buffer): Buffer {
  const picture = decode(png);
  const palette = paletteOf(picture.pixels);
  const indices = new Map<number, number>(palette.map((colour, index) => [colour, index]));
  const { width, height, pixels } = picture;
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of pixels.entries()) {
    const index = indices.get(colour) ?? nearest(colour, palette);
    indices.set(colour, index);
    rows[at + Math.floor(at / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE_TYPE, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Takes the most common colours first, and fills the rest of the palette with colours that are far from all of these. */
function paletteOf(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = byCount.slice(0, COMMONEST);
  const others = byCount.slice(COMMONEST).map((colour) => ({ colour, gap: gapTo(colour, palette) }));
  while (palette.length < COLOURS && others.length > 0) {
    others.sort((one, other) => other.gap - one.gap);
    const next = others.shift();
    if (next === undefined) break;
    palette.push(next.colour);
    for (const other of others) other.gap = Math.min(other.gap, distance(other.colour, next.colour));
  }
  return palette;
}

function gapTo(colour: number, palette: readonly number[]): number {
  return distance(colour, palette[nearest(colour, palette)] ?? 0);
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  for (const [index, candidate] of palette.entries()) {
    if (distance(colour, candidate) < distance(colour, palette[best] ?? 0)) best = index;
  }
  return best;
}

function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Reads what Chromium writes: 8 bits a channel, red, green, blue and perhaps opacity, not interlaced. */
function decode(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  const raw = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const pixels = new Uint32Array(width * height);
  for (const index of pixels.keys()) pixels[index] = raw.readUIntBE(index * channels, 3);
  return { width, height, pixels };
}

/** Undoes the filter that each row of a PNG has. */
function unfiltered(data: Buffer, stride: number, channels: number): Buffer {
  const rows = data.length / (stride + 1);
  // The filters of PNG expect a row of zeros above the first row, and a pixel of zeros before each row.
  const padded = stride + channels;
  const raw = Buffer.alloc((rows + 1) * padded);
  const byte = (at: number) => raw[at] ?? 0;
  for (let row = 0; row < rows; row += 1) {
    const from = row * (stride + 1);
    const filter = data[from] ?? 0;
    for (let column = 0; column < stride; column += 1) {
      const at = (row + 1) * padded + channels + column;
      const up = at - padded;
      const guess = predicted(filter, byte(at - channels), byte(up), byte(up - channels));
      raw[at] = (data[from + 1 + column] ?? 0) + guess;
    }
  }
  const lines = Array.from({ length: rows }, (_none, row) => {
    const start = (row + 1) * padded + channels;
    return raw.subarray(start, start + stride);
  });
  return Buffer.concat(lines);
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return Math.floor((left + up) / 2);
    case 4:
      return paeth(left, up, upLeft);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [byLeft, byUp, byUpLeft] = [left, up, upLeft].map((value) => Math.abs(guess - value));
  if (Number(byLeft) <= Number(byUp) && Number(byLeft) <= Number(byUpLeft)) return left;
  return Number(byUp) <= Number(byUpLeft) ? up : upLeft;
}
