import type { App } from '@slack/bolt';
import type { Precedence } from '../core/precedence.ts';
import { checkFirst } from './connection/deliveries.ts';
import type { ListenerContext } from './front/context.ts';
import { queueFairly } from './front/fair-queue.ts';
import type { Feature } from './front/feature.ts';
import { guard } from './front/guard.ts';
import { Listeners } from './front/listeners.ts';

/** Registers every listener, behind the guard. */
export function listen(
  app: App,
  precedence: Precedence,
  features: readonly Feature[],
  context: ListenerContext,
): void {
  queueFairly(app, precedence);
  checkFirst(app);
  const on = new Listeners(app);
  guard(app, on, context);
  for (const { listen: register } of features) register(on, context);
  on.complete();
  app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
}
