import type { LoginRecord, RequestRecord } from '../emulators/diagnostics-service/types.ts';
import { record, records, string } from '../emulators/slack/json.ts';
import type { ApiCall, Delivery } from '../emulators/slack/model.ts';
import type { Names } from '../emulators/slack/text-lines.ts';
import type { FlowStep } from './wire.ts';

type Words = Pick<FlowStep, 'what' | 'answer' | 'state'>;

/** What Slack brought to the bot. */
export function deliveryWords(delivery: Delivery, names: Names): Words {
  const again = delivery.attempt > 0 ? ' (once more)' : '';
  const what = `${deliveredThing(delivery, names)}${again}`;
  if (delivery.ms === 0) return { what, answer: '', state: 'open' };
  if (delivery.acknowledged) return { what, answer: 'acknowledged', state: 'good' };
  return { what, answer: `not acknowledged: ${delivery.error ?? delivery.status}`, state: 'bad' };
}

function deliveredThing({ kind, payload }: Delivery, names: Names): string {
  if (kind === 'command') {
    return `@${string(payload.user_name)}: ${string(payload.command)} ${string(payload.text)}`.trim();
  }
  const user = record(payload.user);
  const who = `@${string(user.name)}`;
  if (kind === 'event') return eventWords(record(payload.event), names);
  switch (payload.type) {
    case 'block_actions':
      return `${who} uses ${records(payload.actions)
        .map(({ action_id }) => string(action_id))
        .join(', ')}`;
    case 'view_submission':
      return `${who} submits the modal`;
    case 'message_action':
      return `${who}: message shortcut ${string(payload.callback_id)}`;
    default:
      return `${who}: shortcut ${string(payload.callback_id)}`;
  }
}

function eventWords(event: ReturnType<typeof record>, names: Names): string {
  const who = names.get(string(event.user));
  return `event ${string(event.type)}${who === undefined ? '' : ` by @${who}`}`;
}

/** What the bot asked of Slack. */
export function callWords(call: ApiCall, names: Names): Words {
  const channel = names.get(string(call.args.channel));
  const where = channel === undefined ? '' : ` in ${channel.startsWith('dm-') ? channel : `#${channel}`}`;
  const what = `${call.method}${where}`;
  if (call.ms === undefined) return { what, answer: '', state: 'open' };
  if (call.status === 429) return { what, answer: '429, too many', state: 'bad' };
  if (call.status === undefined) return { what, answer: 'connection lost', state: 'bad' };
  const { ok, error } = record(call.answer);
  const isGood = call.status === 200 && ok !== false;
  return {
    what,
    answer: isGood ? 'ok' : string(error) || String(call.status),
    state: isGood ? 'good' : 'bad',
  };
}

/** A login of the bot. */
export function loginWords({ status, outcome }: LoginRecord): Words {
  const answer = outcome === 'granted' ? `${status}, a new session` : `${status ?? 'gone'}, ${outcome}`;
  return { what: 'log in', answer, state: outcome === 'granted' ? 'good' : 'bad' };
}

const MEANING: Readonly<Record<number, string>> = {
  200: 'the result',
  202: 'still processing',
  302: 'no session any more',
  403: 'forbidden',
  404: 'unknown',
};

/** A request of the bot for a snapshot. */
export function requestWords({ id, set, status }: RequestRecord): Words {
  const which = { all: '', hit: ', set=hit', miss: ', set=miss' }[set ?? 'all'];
  const meaning = typeof status === 'number' ? MEANING[status] : undefined;
  const answer = `${status ?? 'gave up'}${meaning === undefined ? '' : `, ${meaning}`}`;
  const isGood = status === 200 || status === 202;
  return { what: `diagnostics of ${id ?? '?'}${which}`, answer, state: isGood ? 'good' : 'bad' };
}
