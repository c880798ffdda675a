import { createDecipheriv, type KeyObject } from 'node:crypto';

const TAG_BYTES = 16;

/**
 * Decrypts what version 0.1 of the bot stored: a compact JWE with `alg: dir` and `enc: A256GCM` (RFC 7516, 3.1), which
 * is not bound to the name that it is stored under. Throws if it was altered, and what `keyNamed` throws.
 */
export function openJwe(jwe: string, keyNamed: (name: string) => KeyObject): string {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = jwe.split('.');
  const { alg, enc, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  if (alg !== 'dir' || enc !== 'A256GCM') throw new Error('the JWE is sealed in another way');
  const key = keyNamed(String(kid));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(header))
    .setAuthTag(Buffer.from(tag, 'base64url'));
  return decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8');
}
