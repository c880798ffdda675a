import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { DiagnosticsServiceOptions } from '../emulators/diagnostics-service/types.ts';
import type { SlackOptions } from '../emulators/slack/setup.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import { environmentFor } from './bot-environment.ts';
import { trustedCertificates } from './trusted-certificates.ts';

/** Differences from the usual emulators. */
export type UpstreamsOptions = {
  readonly slack?: SlackOptions;
  readonly service?: Partial<DiagnosticsServiceOptions>;
  /** Further host names in the service's certificate, besides the loopback names. */
  readonly hostnames?: string[];
};

/** The emulators, and what a bot in another process needs to use them. */
export type ProcessUpstreams = Awaited<ReturnType<typeof startProcessUpstreams>>;

/** A `STATE_KEY` for bots that share a store. */
export const STATE_KEY = Buffer.alloc(32, 7).toString('base64');

/** Starts the emulator of the service with the demo's snapshots. This process trusts its certificate. */
export async function startService(
  options: Partial<DiagnosticsServiceOptions> = {},
  hostnames?: string[],
): Promise<DiagnosticsService> {
  const certificates = await trustedCertificates(hostnames);
  const service = await startDiagnosticsService({ certificates, ...options });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  return service;
}

/** Starts both emulators. The worlds of the tests, the demo and the benchmark all use this. */
export async function startUpstreams(options: UpstreamsOptions = {}) {
  const { hostnames } = options;
  const service = await startService(options.service, hostnames);
  const slack = await startSlack({ mode: 'http', ...options.slack });
  const certificates = await trustedCertificates(hostnames);
  const close = async () => void (await Promise.all([slack.close(), service.close()]));
  return { slack, service, certificates, close };
}

/** Starts both emulators for bots in other processes, with a folder for their certificates and data. */
export async function startProcessUpstreams(options: UpstreamsOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const upstreams = await startUpstreams(options);
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, upstreams.certificates.caPem);
  const paths: Record<string, string> = { NODE_EXTRA_CA_CERTS: authority, DATA_DIR: join(folder, 'data') };
  const mode = options.slack?.mode ?? 'http';
  return {
    ...upstreams,
    /** The folder of this world, which is deleted with it. */
    folder,
    /** The environment variables of the bot. */
    environment: { ...environmentFor(upstreams.slack, upstreams.service, mode), ...paths },
    close: async () => {
      await upstreams.close();
      removeFolder();
      process.off('exit', removeFolder);
    },
  };
}
