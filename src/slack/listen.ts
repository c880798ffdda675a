import type { App } from '@slack/bolt';
import type { Precedence } from '../core/precedence.ts';
import type { ListenerContext } from './front/context.ts';
import type { Feature } from './front/feature.ts';
import { openFront } from './front/front.ts';

/** Registers every listener, behind the front. */
export function listen(
  app: App,
  features: readonly Feature[],
  context: ListenerContext,
  precedence: Precedence,
): void {
  const on = openFront(app, context, precedence);
  for (const feature of features) feature.listen(on, context);
  on.complete();
}
