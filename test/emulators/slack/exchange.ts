import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './json.ts';
import type { ApiCall, Fault } from './model.ts';
import type { Context } from './setup.ts';

/** The HTTP answer to the bot. */
export interface Reply {
  readonly status: number;
  readonly body: Json | string;
  readonly headers?: Record<string, string>;
}

/** A call, with the process that made it, if known. */
interface Called {
  readonly method: string;
  readonly args: Json;
  readonly caller: number | undefined;
}

/**
 * Records a call and answers it: with a planned fault if there is one, else with the result of `work`. `lateMs` delays
 * only the answer: the call takes effect at once.
 */
export async function exchange(
  { method, args, caller }: Called,
  response: ServerResponse,
  context: Context,
  work: () => Reply,
): Promise<void> {
  const { journal, planned, rates } = context;
  const call: ApiCall = { method, args, at: context.now() };
  if (rates.isInPause(call, caller)) journal.breach(`${method}: called before its Retry-After had passed`);
  const started = performance.now();
  journal.calls.push(call);
  journal.tell({ type: 'call', phase: 'received', call });
  const released = planned.released(method);
  if (released !== undefined) {
    await released;
    // The end of a connection becomes visible only in a later iteration of the event loop.
    await setImmediate();
    await setImmediate();
    if (response.destroyed) return;
  }
  const fault = planned.next(method);
  if (typeof fault === 'object' && 'doneAfterMs' in fault)
    await sleep(fault.doneAfterMs, undefined, { ref: false });
  const reply = fault === undefined ? work() : faulty(fault, work);
  if (reply) noteReply(call, reply);
  const lateMs = planned.lateMs();
  if (lateMs > 0) await sleep(lateMs, undefined, { ref: false });
  call.ms = performance.now() - started;
  if (fault === 'lost-response' || response.destroyed) call.isUnheard = true;
  notePause(call, caller, reply, rates);
  const { socket } = response;
  if (reply && fault !== 'lost-response') send(response, reply);
  else if (fault !== 'hang') response.destroy();
  journal.tell({ type: 'call', phase: 'answered', call });
  if (fault === undefined) await noteUnheard(call, socket);
}

function noteReply(call: ApiCall, { body, status }: Reply): void {
  call.answer = body;
  call.status = status;
}

/** A pause begins when its 429 is sent, and applies only to the caller. */
function notePause(
  call: ApiCall,
  caller: number | undefined,
  reply: Reply | undefined,
  rates: Context['rates'],
): void {
  if (reply?.status === 429 && call.isUnheard !== true && caller !== undefined)
    rates.pause(call, caller, Number(reply.headers?.['retry-after']));
}

/**
 * Notes whether the caller was killed right after the call: its connection then ends within a few iterations of the
 * event loop.
 */
async function noteUnheard(call: ApiCall, socket: Socket | null): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) await setImmediate();
  if (socket?.destroyed === true) call.isUnheard = true;
}

function faulty(fault: Fault, work: () => Reply): Reply | undefined {
  if (fault === 'lost-response' || (typeof fault === 'object' && 'doneAfterMs' in fault)) return work();
  if (typeof fault === 'string') return undefined;
  if ('error' in fault) return { status: 200, body: { ok: false, error: fault.error } };
  if ('retryAfter' in fault) {
    const headers = { 'retry-after': String(fault.retryAfter) };
    return { status: 429, body: { ok: false, error: 'ratelimited' }, headers };
  }
  return { status: fault.status, body: 'the emulator was asked to fail' };
}

function send(response: ServerResponse, reply: Reply): void {
  const isText = typeof reply.body === 'string';
  const type = isText ? 'text/plain' : 'application/json; charset=utf-8';
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
}
