import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Certificates, makeCertificates } from '../emulators/certificates.ts';

const made = new Map<string, Promise<Certificates>>();

/**
 * Certificates that this process trusts, for the loopback names and `hostnames`. They are made once for the same names.
 */
export function trustedCertificates(hostnames: string[] = []): Promise<Certificates> {
  const key = hostnames.join();
  const making = made.get(key) ?? makeTrusted(hostnames);
  made.set(key, making);
  return making;
}

async function makeTrusted(hostnames: string[]): Promise<Certificates> {
  const certificates = await makeCertificates(hostnames);
  setDefaultCACertificates([...getCACertificates('default'), certificates.caPem]);
  return certificates;
}
