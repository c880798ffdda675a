import type { PageTarget } from './page-target.ts';
import type { Switches, SwitchName } from './wire.ts';

const LATENCY_MS = 3_000;
/** Rate limits that refuse every post and edit with a 429. */
const NOTHING_ALLOWED = { postsPerSecond: 0.2, burst: 0, updatesPerMinute: 0.9 };

/** The faults of Slack and of the service that a person can turn on and off. */
export class FaultSwitches {
  readonly #target: Pick<PageTarget, 'slack' | 'service'>;
  readonly #listeners = new Set<() => void>();
  #slack429 = false;

  constructor(target: Pick<PageTarget, 'slack' | 'service'>) {
    this.#target = target;
  }

  get state(): Switches {
    const { switches } = this.#target.service;
    return {
      loginRefused: switches.loginRefused,
      slow: switches.latencyMs > 0,
      resets: switches.resetConnections,
      slack429: this.#slack429,
    };
  }

  /** Calls the listener after every change. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(name: SwitchName, isOn: boolean): void {
    this.#turn(name, isOn);
    for (const listener of this.#listeners) listener();
  }

  #turn(name: SwitchName, isOn: boolean): void {
    const { service, slack } = this.#target;
    switch (name) {
      case 'loginRefused':
        service.switches.loginRefused = isOn;
        // A bot with a session would not notice.
        if (isOn) service.expireSessions();
        return;
      case 'slow':
        service.switches.latencyMs = isOn ? LATENCY_MS : 0;
        return;
      case 'resets':
        service.switches.resetConnections = isOn;
        return;
      case 'slack429':
        this.#slack429 = isOn;
        slack.setRateLimit(isOn ? NOTHING_ALLOWED : undefined);
        return;
      default:
        name satisfies never;
    }
  }
}
