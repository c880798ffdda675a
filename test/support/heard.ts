import { featuresOf } from '../../src/slack/features/index.ts';
import type { ListenerContext } from '../../src/slack/front/context.ts';
import type { Listeners } from '../../src/slack/front/listeners.ts';
import { featureParts } from './feature-parts.ts';

/** What listeners are registered for: ids of controls, or patterns of them, and ids of forms. */
export function heard() {
  const [actions, views]: [(string | RegExp)[], string[]] = [[], []];
  const on = {
    click: (id: string | RegExp) => actions.push(id),
    asking: (id: string | RegExp) => actions.push(id),
    form: (id: string) => views.push(id),
    ...{ event() {}, command() {}, shortcut() {}, messageShortcut() {} },
  };
  for (const { listen } of featuresOf(featureParts()).features)
    listen(on as unknown as Listeners, {} as ListenerContext);
  return { actions, views };
}
