import type { App } from '@slack/bolt';
import { listen } from '../../src/slack/create-slack.ts';
import { featuresOf } from '../../src/slack/features/index.ts';
import type { ListenerContext } from '../../src/slack/front/context.ts';
import { featureParts } from './feature-parts.ts';

/** What listeners are registered for: ids of controls, or patterns of them, and ids of forms. */
export function heard() {
  const [actions, views]: [(string | RegExp)[], string[]] = [[], []];
  const app = {
    action: (id: string | RegExp) => actions.push(id),
    view: (id: string) => views.push(id),
    ...{ use() {}, event() {}, shortcut() {}, error() {}, processEvent() {} },
  };
  const { features } = featuresOf(featureParts());
  listen(features, { slack: { app: app as unknown as App } } as ListenerContext);
  return { actions, views };
}
