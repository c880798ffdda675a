import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../../core/errors.ts';

export const KEY_FILE = 'state.key';
/** 32 bytes in base64, as `openssl rand -base64 32` prints them. */
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

const UNUSABLE = {
  'no key': {
    what: 'holds no key (32 bytes in base64)',
    repair: () => 'restore it, or remove it together with the data that it sealed',
  },
  'open to others': {
    what: 'can be read by others',
    repair: (file: string) =>
      `run chmod 600 ${file}; if somebody may have read it, set STATE_KEY to a new key as well: what the file sealed still opens`,
  },
  missing: {
    what: 'is missing, and what is stored was sealed with a key',
    repair: () =>
      'restore it from the backup of DATA_DIR, or set STATE_KEY to the key that it had; if no copy is left, delete everything with npm run forget -- --all',
  },
};

/** The key file of a data directory can be read by others, holds no key, or is missing where a key has sealed something. */
export class KeyFileUnusable extends CannotStart {
  constructor(file: string, why: keyof typeof UNUSABLE) {
    super('STATE_KEY', `${file} ${UNUSABLE[why].what}`, UNUSABLE[why].repair(file));
  }
}

/** The sentence for operators about stored values that no present key opens. */
export function unopenedSentence(count: number): string {
  return `stored values that no present key opens: ${count}; they count as absent, and stay as they are`;
}
export const KEY_REPAIR =
  'add the key that sealed them to STATE_KEY (the one it had, or the text of an earlier state.key), leave a present state.key as it is, and start again';

/** One key of STATE_KEY: exactly 32 bytes in base64. Undefined when the text is not that. */
function parseStateKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  return KEY_TEXT.test(trimmed) ? new Uint8Array(Buffer.from(trimmed, 'base64')) : undefined;
}

/** Reads the key file of an embedded store; undefined if there is none. Throws `KeyFileUnusable`. */
export function readKeyFile(dataDir: string): Uint8Array | undefined {
  const file = join(dataDir, KEY_FILE);
  // A link that leads nowhere is there, too.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new KeyFileUnusable(file, 'no key');
  if ((found.mode & OTHERS) !== 0) throw new KeyFileUnusable(file, 'open to others');
  const key = parseStateKey(readFileSync(file, 'utf8'));
  if (key === undefined) throw new KeyFileUnusable(file, 'no key');
  return key;
}

/**
 * Makes a key for a data directory that has none, in a file that only its owner may read; gives the key and the file's
 * path.
 */
export function makeKeyFile(dataDir: string): { key: Uint8Array; file: string } {
  const file = join(dataDir, KEY_FILE);
  const key = randomBytes(KEY_BYTES);
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  chmodSync(file, OWNER_ONLY);
  return { key: new Uint8Array(key), file };
}
