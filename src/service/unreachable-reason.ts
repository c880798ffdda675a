import type { UnreachableReason } from '../core/faults.ts';

const TIMEOUT = /TIMEOUT|ETIMEDOUT|TimeoutError/;
const NAME = /ENOTFOUND|EAI_AGAIN/;
const CERTIFICATE = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|SSL_ERROR/;
const ENDED_EARLY = /UND_ERR_SOCKET|ECONNRESET|CONTENT_LENGTH|HPE_/;

/** Why a request got no answer, judged by the codes of its error. */
export function unreachableReason(error: unknown): UnreachableReason {
  const described = describe(error);
  if (TIMEOUT.test(described)) return 'timeout';
  if (NAME.test(described)) return 'name';
  if (CERTIFICATE.test(described)) return 'certificate';
  return ENDED_EARLY.test(described) ? 'ended-early' : 'connection';
}

/** The codes of an error and of its causes, because undici wraps the socket's error. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  const code = 'code' in error ? String(error.code) : '';
  const inner = error instanceof AggregateError ? error.errors.map((each) => describe(each, depth + 1)) : [];
  return [error.name, code, ...inner, describe(error.cause, depth + 1)].join(' ');
}
