import type { ServerResponse } from 'node:http';
import { pageState } from './page-state.ts';
import { type PageTarget, VIEWERS } from './page-target.ts';

/** Changes that come together are told together. */
const SOON_MS = 30;
/** What Slack has no part in, such as an answer of the service or the end of the bot, is seen when it is looked for. */
const LOOK_MS = 500;

/** Tells one open page, which begins without a window, what its person sees: now, and after every change. Gives what tells it at once. */
export function openStream(response: ServerResponse, target: PageTarget, as: string): () => void {
  const viewer = VIEWERS.find((one) => one === as) ?? VIEWERS[0];
  // Windows belong to a client of Slack: one that starts anew has none, and nothing lies over its message box.
  for (const view of target.slack.modals(viewer).toReversed()) void target.slack.closeView(view);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  let told = '';
  let telling: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(telling);
    telling = undefined;
    const state = JSON.stringify(pageState(target, viewer));
    if (state === told || response.writableEnded || response.destroyed) return;
    told = state;
    response.write(`data: ${state}\n\n`);
  };
  const stop = target.slack.on(() => {
    telling ??= setTimeout(tell, SOON_MS);
  });
  const looking = setInterval(tell, LOOK_MS);
  response.once('close', () => {
    stop();
    clearInterval(looking);
    clearTimeout(telling);
  });
  tell();
  return tell;
}
