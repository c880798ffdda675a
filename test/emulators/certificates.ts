import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { generate, type SelfsignedOptions } from 'selfsigned';

/** An authority and one server certificate that it signed, all in PEM form. */
export interface Certificates {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Makes a new authority and a server certificate for the loopback names and `hostnames`. Both are valid for some days. */
export async function makeCertificates(
  hostnames: string[] = [],
  { days = 365 }: { readonly days?: number } = {},
): Promise<Certificates> {
  // OpenSSL finds an issuer by its name, so two authorities in one process must not share a name.
  const authority = await generate([{ name: 'commonName', value: `Emulator authority ${randomUUID()}` }], {
    ...commonOptions(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const names = [...new Set([...LOOPBACK_NAMES, ...hostnames])];
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...commonOptions(),
    notAfterDate: new Date(Date.now() + days * DAY_MS),
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: names.map(alternativeName) },
    ],
  });
  return { caPem: authority.cert, certPem: server.cert, keyPem: server.private };
}

function commonOptions(): SelfsignedOptions {
  // Valid since an hour ago, because the clock of a container may be slow.
  return { keyType: 'ec', algorithm: 'sha256', notBeforeDate: new Date(Date.now() - HOUR_MS) };
}

function alternativeName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
