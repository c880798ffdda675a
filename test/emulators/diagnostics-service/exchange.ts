import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { misbehave, sendReply } from './deliver.ts';
import { errorPage, signInPage } from './pages.ts';
import type { ScriptLine, ServiceState } from './state.ts';
import type {
  LoginRecord,
  Misbehaviour,
  Reply,
  RequestRecord,
  ScriptedAnswer,
  ServiceSwitches,
} from './types.ts';

/** Takes the first scripted answer for this snapshot or for any snapshot. */
export function nextLine(script: ScriptLine[], id?: string): ScriptedAnswer | undefined {
  const at = script.findIndex(({ forId }) => forId === undefined || forId === id);
  return at < 0 ? undefined : script.splice(at, 1)[0]?.answer;
}

/** The answer to send: the ordinary one, or what a switch or a script replaces it by. */
export function chooseAnswer(
  switches: ServiceSwitches,
  switchedStatus: number | undefined,
  scripted: ScriptedAnswer | undefined,
): Reply | Misbehaviour | undefined {
  if (switches.resetConnections) return 'reset';
  if (scripted === 'sign-in-page') return signInPage();
  if (scripted !== undefined && scripted !== 'ordinary') return scripted;
  if (scripted === 'ordinary' || switchedStatus === undefined) return undefined;
  return errorPage(switchedStatus, 'Not now', 'The service was told to answer so.');
}

/** What a `Retry-After` applies to: after a 202 only that snapshot and set, otherwise the whole host. */
function subjectOf(record: LoginRecord | RequestRecord): string {
  if (record.kind === 'login') return 'the login host';
  return record.status === 202 ? `${record.id} ${record.set}` : 'the API host';
}

/**
 * Waits while answers are held, then for the configured latency. Sends `replacement` or else `ordinary`, and records
 * both.
 */
export async function conclude(
  state: ServiceState,
  record: LoginRecord | RequestRecord,
  exchange: { response: ServerResponse; reset: () => void },
  ordinary: Reply,
  replacement: Reply | Misbehaviour | undefined,
): Promise<void> {
  await state.released;
  if (record.kind === 'request') record.isDisturbed = replacement !== undefined;
  const { latencyMs } = state.switches;
  if (latencyMs > 0) await sleep(latencyMs, undefined, { signal: state.closing });
  // A client that closed the connection got no answer, so a 202 starts no waiting time for it.
  if (exchange.response.destroyed) {
    record.gaveUp = true;
    return;
  }
  const answer = replacement ?? ordinary;
  record.answeredAt = state.settings.now();
  record.status = typeof answer === 'string' ? answer : answer.status;
  if (record.kind === 'request' && statusSent(answer, ordinary) === 202) {
    state.lastProcessing.set(`${record.id} ${record.set}`, record.answeredAt);
  }
  if (typeof answer !== 'string') state.pauses.note(subjectOf(record), answer, record.answeredAt);
  if (typeof answer === 'string') misbehave(exchange.response, answer, ordinary, exchange.reset);
  else sendReply(exchange.response, answer);
}

/** The status of an answer, even if the answer breaks off in its body. */
function statusSent(answer: Reply | Misbehaviour, { status }: Reply): number | undefined {
  if (typeof answer !== 'string') return answer.status;
  return answer === 'reset' || answer === 'hang' ? undefined : status;
}
