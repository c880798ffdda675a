import type { LoginRecord, RequestRecord } from '../emulators/diagnostics-service/types.ts';
import { record, records, string } from '../emulators/slack/json.ts';
import type { ApiCall, Delivery } from '../emulators/slack/model.ts';
import type { PageTarget } from './page-target.ts';
import type { FlowStep } from './wire.ts';

type Step = Omit<FlowStep, 'id'>;
/** The names of users and channels by their ids. */
type Names = ReadonlyMap<string, string>;

const KEPT = 100;
const LONGEST_DETAIL = 6_000;

/** The latest exchanges between Slack, the bot and the service, in the order in which they began. */
export function flowOf({ slack, service }: Pick<PageTarget, 'slack' | 'service'>): FlowStep[] {
  const { names } = slack;
  const steps = [
    ...latest(slack.records.deliveries, (one) => deliveryStep(one, names)),
    ...latest(slack.records.calls, (one) => callStep(one, names)),
    ...latest(service.records.logins, (one) => serviceStep(one, 'log in', loginAnswer(one))),
    ...latest(service.records.requests, (one) => serviceStep(one, requestOf(one), answerTo(one))),
  ];
  return steps.sort((one, other) => one.at - other.at).slice(-KEPT);
}

function latest<T extends object>(all: readonly T[], stepOf: (one: T) => Step): FlowStep[] {
  const first = Math.max(0, all.length - KEPT);
  return all.slice(first).map((one, index) => {
    const step = stepOf(one);
    return { ...step, id: `${step.from} ${step.to} ${step.what} ${first + index}` };
  });
}

function detailOf(value: object): string {
  const text = JSON.stringify(value, undefined, 2);
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}\n…` : text;
}

/** A delivery from Slack to the bot. */
function deliveryStep(delivery: Delivery, names: Names): Step {
  const { at, ms, acknowledged } = delivery;
  const { response_url: _long, token: _old, ...payload } = delivery.payload;
  const again = delivery.attempt > 0 ? ' (once more)' : '';
  return {
    at,
    from: 'slack',
    to: 'bot',
    what: `${deliveredThing(delivery, names)}${again}`,
    detail: detailOf({ ...payload, event: record(payload.event), type: string(payload.type) }),
    ...(ms === 0
      ? OPEN
      : answered(
          ms,
          acknowledged,
          acknowledged ? 'acknowledged' : `not acknowledged: ${delivery.error ?? delivery.status}`,
        )),
  };
}

function deliveredThing({ kind, payload }: Delivery, names: Names): string {
  if (kind === 'command')
    return `@${string(payload.user_name)}: ${string(payload.command)} ${string(payload.text)}`.trim();
  if (kind === 'event') {
    const { type, user } = record(payload.event);
    const who = names.get(string(user));
    return `event ${string(type)}${who === undefined ? '' : ` by @${who}`}`;
  }
  const used = records(payload.actions).map(({ action_id }) => string(action_id));
  const what = used.join(', ') || string(payload.callback_id) || string(payload.type);
  return `@${string(record(payload.user).name)}: ${what}`;
}

/** A call from the bot to Slack. */
function callStep(call: ApiCall, names: Names): Step {
  const { at, ms, method, args, answer, status } = call;
  const channel = names.get(string(args.channel));
  const where = channel === undefined ? '' : ` in ${channel.startsWith('dm-') ? channel : `#${channel}`}`;
  const { ok, error } = record(answer);
  const isGood = status === 200 && ok !== false;
  const words = isGood ? 'ok' : string(error) || String(status ?? 'connection lost');
  return {
    at,
    from: 'bot',
    to: 'slack',
    what: `${method}${where}`,
    detail: detailOf({ args, answer }),
    ...(ms === undefined ? OPEN : answered(ms, isGood, status === 429 ? '429, too many' : words)),
  };
}

function serviceStep(done: LoginRecord | RequestRecord, what: string, answer: string): Step {
  const { arrivedAt: at, answeredAt, gaveUp, status } = done;
  const isGood = done.kind === 'login' ? done.outcome === 'granted' : status === 200 || status === 202;
  const ms = answeredAt === undefined ? undefined : answeredAt - at;
  const isOpen = ms === undefined && gaveUp === undefined;
  const said = isOpen ? OPEN : answered(ms, isGood, answer);
  return { at, from: 'bot', to: 'service', what, detail: detailOf(done), ...said };
}

function loginAnswer({ status, outcome }: LoginRecord): string {
  return outcome === 'granted' ? `${status}, a new session` : `${status ?? 'gone'}, ${outcome}`;
}

const MEANING: Readonly<Record<number, string>> = {
  200: 'the result',
  202: 'still processing',
  302: 'no session any more',
  403: 'forbidden',
  404: 'unknown',
};

function requestOf({ id, set }: RequestRecord): string {
  return `diagnostics of ${id ?? '?'}${{ all: '', hit: ', set=hit', miss: ', set=miss' }[set ?? 'all']}`;
}

function answerTo({ status }: RequestRecord): string {
  const meaning = typeof status === 'number' ? MEANING[status] : undefined;
  return `${status ?? 'gave up'}${meaning === undefined ? '' : `, ${meaning}`}`;
}

const OPEN = { answer: '', state: 'open', ms: undefined } as const;

function answered(ms: number | undefined, isGood: boolean, answer: string) {
  return { answer, state: isGood ? 'good' : 'bad', ms } as const;
}
