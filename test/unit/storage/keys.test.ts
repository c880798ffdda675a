import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  loadStoredNames,
  SealBroken,
  Sealer,
  type SecretShelf,
  storedNames,
} from '../../../src/storage/backend/sealer.ts';
import { KeyFileUnusable, makeKeyFile, readKeyFile } from '../../../src/storage/backend/state-key.ts';

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

describe('The names under which values are stored', () => {
  test('are short hashes of kind and key, which only the same secret makes again', () => {
    const names = storedNames(OLD);
    const name = names('recents', 'U0ANA');
    expect(name).toMatch(/^[\w-]{24}$/);
    expect([names('recents', 'U0ANA'), storedNames(OLD)('recents', 'U0ANA')]).toEqual([name, name]);
    for (const other of [names('recents', 'U0BEN'), names('owners', 'U0ANA'), names('recentsU', '0ANA')]) {
      expect(other).not.toBe(name);
    }
    expect(storedNames(NEW)('recents', 'U0ANA')).not.toBe(name);
  });
});

describe('The secret of those names', () => {
  let kept: Map<string, string>;
  let shelf: SecretShelf;
  beforeEach(() => {
    kept = new Map();
    shelf = {
      get: async (name) => kept.get(name),
      add: async (name, sealed) => void (kept.has(name) || kept.set(name, sealed)),
    };
  });
  const nameWith = async (...keys: [Uint8Array, ...Uint8Array[]]) =>
    (await loadStoredNames(shelf, new Sealer(keys)))[0]('recents', 'U1');

  test('is made once, sealed, and is another one in another store', async () => {
    const name = await nameWith(OLD);
    expect([await nameWith(OLD), kept.size]).toEqual([name, 1]);
    expect([...kept.values()].join()).toMatch(/^2\.[0-9a-f]{8}\./);
    kept.clear();
    expect(await nameWith(OLD)).not.toBe(name);
  });

  test('goes over to a new key, whichever of the others opens it, and stays when the old ones go', async () => {
    const name = await nameWith(OLD);
    expect(await nameWith(NEW, OTHER, OLD)).toBe(name);
    expect(kept.size).toBe(2);
    expect(await nameWith(NEW)).toBe(name);
    kept.clear();
    const another = await nameWith(OLD);
    expect(await nameWith(NEW, OLD, OTHER)).toBe(another);
  });

  test('of the key that seals counts before those of the others', async () => {
    const own = await nameWith(NEW);
    expect(await nameWith(OLD)).not.toBe(own);
    expect(await nameWith(NEW, OLD)).toBe(own);
  });

  test('of another replica that was first counts', async () => {
    const { get } = shelf;
    let isFirstLook = true;
    shelf.get = async (name) => {
      if (!isFirstLook) return get(name);
      isFirstLook = false;
      const found = await get(name);
      await nameWith(OLD);
      return found;
    };
    const name = await nameWith(OLD);
    expect(await nameWith(OLD)).toBe(name);
  });

  test('that was altered, or is a copy of another key’s, is refused', async () => {
    await nameWith(OLD);
    const [oldName = ''] = kept.keys();
    kept.set(oldName, new Sealer([OLD]).seal('c2VjcmV0', 'secret\0other'));
    await expect(nameWith(OLD)).rejects.toThrow(SealBroken);
    await expect(nameWith(NEW, OLD)).rejects.toThrow(SealBroken);
  });
});

describe('The keys', () => {
  test('have names that tell nothing of them, the one that seals first, and none twice', () => {
    const [old, next] = [new Sealer([OLD]).keyNames, new Sealer([NEW]).keyNames].flat();
    expect(new Sealer([NEW, OLD, NEW]).keyNames).toEqual([next, old]);
    expect(old).toMatch(/^[0-9a-f]{8}$/);
    expect(next).not.toBe(old);
  });

  test('a text that is broken is said not to open, with why', () => {
    const sealer = new Sealer([NEW]);
    const why = (sealed: string) => {
      try {
        return sealer.open(sealed, 'here');
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        expect(error.message).toContain('STATE_KEY');
        return (error.cause as Error).message;
      }
    };
    const [, name] = sealer.seal('x', 'here').split('.');
    expect(why('1.a.b')).toContain('present format');
    expect(why('2.abc.def')).toContain('no key named abc');
    expect(why(`2.${name}.${Buffer.alloc(27).toString('base64url')}`)).toContain('too short');
    expect(why(`2.${name}.${Buffer.alloc(28).toString('base64url')}`)).not.toContain('too short');
    expect(why('')).toContain('present format');
  });
});

describe('A key file', () => {
  const folder = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-key-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    return dataDir;
  };

  test('is made once, for its owner alone whatever the umask, and read as it was made', () => {
    const dataDir = folder();
    expect(readKeyFile(dataDir)).toBeUndefined();
    const umask = process.umask(0o777);
    const made = makeKeyFile(dataDir);
    process.umask(umask);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readFileSync(made.file, 'utf8')).toMatch(/^[\w+/]{43}=\n$/);
    expect(readKeyFile(dataDir)).toEqual(made.key);
    expect(made.key).toHaveLength(32);
    expect(() => makeKeyFile(dataDir)).toThrow('EEXIST');
    expect(makeKeyFile(folder()).key).not.toEqual(made.key);
  });

  test.each([0o640, 0o604, 0o601])('that others can open (%o) is refused with the repair', (mode) => {
    const dataDir = folder();
    const { file } = makeKeyFile(dataDir);
    chmodSync(file, mode);
    expect(() => readKeyFile(dataDir)).toThrow(KeyFileUnusable);
    expect(() => readKeyFile(dataDir)).toThrow(`${file} can be read by others`);
    expect(() => readKeyFile(dataDir)).toThrow(`run chmod 600 ${file};`);
  });

  test.each([
    ['a folder', (file: string) => mkdirSync(file, 0o700)],
    ['a link that leads nowhere', (file: string) => symlinkSync(`${file}.gone`, file)],
  ])('that is %s is refused as one without a key', (_what, make) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-key-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const file = join(dataDir, 'state.key');
    make(file);
    expect(() => readKeyFile(dataDir)).toThrow(`${file} holds no key (32 bytes in base64)`);
  });

  test('that holds no key is refused, and left as it is', () => {
    const dataDir = folder();
    const file = join(dataDir, 'state.key');
    writeFileSync(file, 'not a key\n', { mode: 0o600 });
    expect(() => readKeyFile(dataDir)).toThrow(`${file} holds no key (32 bytes in base64)`);
    expect(() => readKeyFile(dataDir)).toThrow('remove it together with the data');
    expect(readFileSync(file, 'utf8')).toBe('not a key\n');
  });
});
