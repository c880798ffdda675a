import type { LoginRecord, RequestRecord } from '../emulators/diagnostics-service/types.ts';
import { record, string } from '../emulators/slack/json.ts';
import type { ApiCall, Delivery } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { callWords, deliveryWords, loginWords, requestWords } from './flow-words.ts';
import type { FlowStep } from './wire.ts';

const KEPT = 300;
const LONGEST_DETAIL = 6_000;

/** Everything that is said between Slack, the bot and the service, in the order in which it began. */
export class Flow {
  readonly steps: FlowStep[] = [];
  readonly #ids = new WeakMap<object, string>();
  readonly #listeners = new Set<(step: FlowStep) => void>();
  #count = 0;

  /** Listens to Slack from now on. */
  listen(slack: Slack): void {
    slack.on((event) => {
      if (event.type === 'call') this.#note(event.call, this.#call(event.call, slack));
      else if (event.type === 'delivery') this.#note(event.delivery, this.#delivery(event.delivery, slack));
    });
  }

  /** Called with each answer of the service. */
  readonly answered = (done: LoginRecord | RequestRecord): void => {
    const words = done.kind === 'login' ? loginWords(done) : requestWords(done);
    const ms = done.answeredAt === undefined ? undefined : done.answeredAt - done.arrivedAt;
    this.#note(done, {
      ...words,
      at: done.arrivedAt,
      from: 'bot',
      to: 'service',
      ms,
      detail: asDetail(done),
    });
  };

  /** Calls the listener with every step, new or changed. */
  on(listener: (step: FlowStep) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #note(key: object, step: Omit<FlowStep, 'id'>): void {
    const id = this.#ids.get(key) ?? `step-${++this.#count}`;
    this.#ids.set(key, id);
    const noted = { ...step, id };
    const known = this.steps.findIndex((one) => one.id === id);
    if (known >= 0) this.steps[known] = noted;
    else this.steps.push(noted);
    if (this.steps.length > KEPT) this.steps.shift();
    for (const listener of this.#listeners) listener(noted);
  }

  #call(call: ApiCall, slack: Slack): Omit<FlowStep, 'id'> {
    const { at, ms } = call;
    const detail = asDetail({ args: call.args, answer: call.answer });
    return { ...callWords(call, slack.names), at, from: 'bot', to: 'slack', ms, detail };
  }

  #delivery(delivery: Delivery, slack: Slack): Omit<FlowStep, 'id'> {
    const isOpen = delivery.ms === 0;
    const { response_url: _long, token: _old, ...payload } = delivery.payload;
    return {
      ...deliveryWords(delivery, slack.names),
      at: delivery.at,
      from: 'slack',
      to: 'bot',
      ms: isOpen ? undefined : delivery.ms,
      detail: asDetail({ ...payload, event: record(payload.event), type: string(payload.type) }),
    };
  }
}

function asDetail(value: object): string {
  const text = JSON.stringify(value, undefined, 2);
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}\n…` : text;
}
