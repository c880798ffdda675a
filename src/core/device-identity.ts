import type { Device } from './diagnostics.ts';
import { fold } from './folding.ts';

/** Placeholders that makers and hypervisors write instead of a serial number. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'chassis serial',
  'default',
  'default string',
  'empty',
  'invalid',
  'n a',
  'na',
  'nil',
  'no serial',
  'none',
  'not applicable',
  'not available',
  'not specified',
  'null',
  'serial',
  'serial number',
  'system serial number',
  'tbd',
  'test',
  'to be filled by o e m',
  'to be filled by oem',
  'undefined',
  'unknown',
]);
const PUNCTUATION = /[^\p{L}\p{N}]+/gu;
/** `00000000`, `xxxxxx`: one character, however often. */
const ONE_CHARACTER = /^(.)\1*$/u;
const COUNTED_UP = '0123456789';

/** The normalized serial number that identifies a device; undefined if the document holds none or a placeholder. */
export function serialOf({ chassisSerial }: Pick<Device, 'chassisSerial'>): string | undefined {
  const serial = fold(chassisSerial).trim();
  const bare = serial.replace(PUNCTUATION, ' ').trim();
  const packed = bare.replaceAll(' ', '');
  if (bare === '' || PLACEHOLDERS.has(bare) || ONE_CHARACTER.test(packed)) return undefined;
  if (packed.length > 3 && COUNTED_UP.includes(packed)) return undefined;
  return serial;
}
