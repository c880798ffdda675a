import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_FILE = 'state.key';
const KEY_BYTES = 32;

/** One key of STATE_KEY: 32 bytes in base64. Undefined when the text is not that. */
export function parseStateKey(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text.trim(), 'base64');
  return bytes.length === KEY_BYTES ? new Uint8Array(bytes) : undefined;
}

/**
 * The key that the embedded store makes for itself when there is no STATE_KEY: a file that only the owner may read.
 * `made` says that it is new. Throws when the file holds no key.
 */
export function ownStateKey(dataDir: string): { key: Uint8Array; file: string; made: boolean } {
  const file = join(dataDir, KEY_FILE);
  const made = !existsSync(file);
  if (made) {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = parseStateKey(readFileSync(file, 'utf8'));
  if (key === undefined) {
    throw new Error(
      `${file} holds no key (32 bytes in base64). Restore it, or remove it together with what it sealed.`,
    );
  }
  return { key, file, made };
}
