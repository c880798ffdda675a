import type { Device } from './diagnostics.ts';
import { fold } from './texts.ts';

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

const NAMELESS_HOSTS = /^localhost\d?(?:\.localdomain\d?)?\.?$/i;

/** The device's own name, or ''; a host name that every new device has is no name. */
export function hostOf({ hostname }: Pick<Device, 'hostname'>): string {
  return NAMELESS_HOSTS.test(hostname) ? '' : hostname;
}

/** Whether two names are known to be of two hosts. `edge-7` may be short for `edge-7.example.com`. */
export function areOtherHosts(one: string, other: string): boolean {
  const [short = '', long = ''] = [fold(one), fold(other)].sort((a, b) => a.length - b.length);
  return short !== '' && short !== long && !long.startsWith(`${short}.`);
}

/**
 * Whether two snapshots are of one device: by their serial numbers, or else by their names. A chassis can hold several
 * hosts. Names that every new device has tell nothing, and the same hardware is in many devices.
 */
export function relationOf(one: Device, other: Device): 'same' | 'chassis' | 'other' | 'unknown' {
  const [serial, otherSerial] = [serialOf(one), serialOf(other)];
  const [host, otherHost] = [hostOf(one), hostOf(other)];
  const areTwoHosts = areOtherHosts(host, otherHost);
  if (serial !== undefined && otherSerial !== undefined) {
    if (serial !== otherSerial) return 'other';
    return areTwoHosts ? 'chassis' : 'same';
  }
  const areTwoPlatforms = one.platform !== '' && other.platform !== '' && one.platform !== other.platform;
  if (areTwoPlatforms || areTwoHosts) return 'other';
  return host !== '' && otherHost !== '' ? 'same' : 'unknown';
}
