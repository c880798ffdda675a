import type { ServerResponse } from 'node:http';
import { pageState } from './page-state.ts';
import { type PageTarget, VIEWERS } from './page-target.ts';

/** Changes within this time are sent together. */
const SOON_MS = 30;
/**
 * Some changes cause no event of Slack, such as an answer of the service or the end of the bot, so the state is also
 * checked at intervals.
 */
const LOOK_MS = 500;

/** Streams the state to an open page, now and after every change. Returns a function that sends it at once. */
export function openStream(response: ServerResponse, target: PageTarget, as: string): () => void {
  const viewer = VIEWERS.find((one) => one === as) ?? VIEWERS[0];
  // A new page has no open windows, so those of an earlier page are closed.
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
