import type { ServerResponse } from 'node:http';
import type { SlackEvent } from '../emulators/slack/model.ts';
import { botShown, pageState, shownMessage } from './page-state.ts';
import { type PageTarget, VIEWERS, type Viewer } from './page-target.ts';
import type { FaultSwitches } from './switches.ts';
import type { Piece } from './wire.ts';

/** Tells one open page, which begins without a window, everything that its person sees from now on. */
export function openStream(
  response: ServerResponse,
  target: PageTarget,
  switches: FaultSwitches,
  as: string,
): void {
  const viewer = VIEWERS.find((one) => one === as) ?? VIEWERS[0];
  // Windows belong to a client of Slack: one that starts anew has none, and nothing lies over its message box.
  for (const view of target.slack.modals(viewer).toReversed()) void target.slack.closeView(view);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const tell = (piece: Piece) => {
    // Events can still arrive after the response has ended and before it is closed.
    if (!response.writableEnded && !response.destroyed) response.write(`data: ${JSON.stringify(piece)}\n\n`);
  };
  const tellAll = () => tell({ kind: 'all', state: pageState(target, switches, viewer) });
  const stops = [
    target.slack.on((event) => {
      if (event.type === 'channel') tellAll();
      else for (const piece of pieces(event, target, viewer)) tell(piece);
    }),
    target.flow.on((step) => tell({ kind: 'step', step })),
    switches.on(() => tell({ kind: 'some', state: { switches: switches.state } })),
    target.bot?.on(() => tell({ kind: 'some', state: { bot: botShown(target) } })),
  ];
  response.once('close', () => {
    for (const stop of stops) stop?.();
  });
  tellAll();
}

function pieces(event: SlackEvent, target: PageTarget, viewer: Viewer): Piece[] {
  const { slack, service } = target;
  const me = slack.users.find(({ name }) => name === viewer)?.id;
  switch (event.type) {
    case 'message': {
      const { channel, ts } = event.message;
      if (event.change === 'deleted') return [{ kind: 'gone', channel, ts }];
      const message = slack.messages(channel, viewer).find((one) => one.ts === ts);
      return message === undefined ? [] : [{ kind: 'message', message: shownMessage(message) }];
    }
    case 'view':
      return event.user === me
        ? [{ kind: 'some', state: { views: slack.modals(viewer), panel: slack.panel(viewer) } }]
        : [];
    case 'home':
      return event.user === me ? [{ kind: 'some', state: { home: slack.home(viewer) } }] : [];
    case 'breach':
      return [
        { kind: 'some', state: { breaches: [...slack.records.breaches, ...service.records.breaches] } },
      ];
    default:
      return [];
  }
}
