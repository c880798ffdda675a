import type { App } from '@slack/bolt';
import type { Precedence } from '../core/precedence.ts';
import { checkFirst } from './connection/deliveries.ts';
import { FEATURES } from './features/index.ts';
import type { ListenerContext } from './front/context.ts';
import { queueFairly } from './front/fair-queue.ts';
import { guard } from './front/guard.ts';
import { Listeners } from './front/listeners.ts';

/** Registers every listener, behind the guard. */
export function listen(app: App, precedence: Precedence, context: ListenerContext): void {
  queueFairly(app, precedence);
  checkFirst(app);
  const on = new Listeners(app);
  guard(app, on, context);
  for (const { listen: register } of FEATURES) register(on, context);
  on.complete();
  app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
}
