import { useCallback, useEffect, useState } from 'react';
import type { OwnAction } from '../actions.ts';
import type { ActionAnswer, PageState } from '../wire.ts';
import { type Demo, NOTHING_OPEN, type Spot } from './demo-context.ts';

const START: Spot = {
  ...NOTHING_OPEN,
  channel: 'C0SUPPORT',
  pane: 'conversation',
};
const GONE = 'The demo does not answer. Is it still running in the terminal?';

/** The state and the actions of the page; undefined before the first event of the server. */
export function usePage(): Demo | undefined {
  const [viewer, setViewer] = useState('ana');
  const { state, isCut } = useNews(viewer);
  const [spot, setSpot] = useState<Spot>(START);
  const [problem, setProblem] = useState('');
  const [suggestedLine, setSuggestedLine] = useState({ line: '', count: 0 });
  const [linesSent, setLinesSent] = useState(0);
  const go = useCallback((change: Partial<Spot>) => setSpot((old) => ({ ...old, ...change })), []);
  const perform = useCallback(
    async (done: OwnAction) => {
      if (done.kind === 'command' || done.kind === 'say') setLinesSent((count) => count + 1);
      const { problem: said = '' } = await send({ ...done, user: viewer });
      setProblem(said);
      return said === '';
    },
    [viewer],
  );
  if (state === undefined) return undefined;
  return {
    state,
    spot: { ...spot, channel: visibleChannel(state, spot.channel) },
    problem: isCut ? GONE : problem,
    suggestedLine,
    linesSent,
    go,
    perform,
    complain: setProblem,
    dismiss: () => setProblem(''),
    suggest: (line) => setSuggestedLine(({ count }) => ({ line, count: count + 1 })),
    become(next) {
      setProblem('');
      setViewer(next);
      go(NOTHING_OPEN);
    },
  };
}

/** The wanted channel, or the first one if this person is not a member of it. */
function visibleChannel(state: PageState, wanted: string): string {
  const found = state.channels.find(({ id }) => id === wanted) ?? state.channels[0];
  return found?.id ?? '';
}

function useNews(viewer: string): { state: PageState | undefined; isCut: boolean } {
  const [state, setState] = useState<PageState>();
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const source = new EventSource(`/events?as=${viewer}`);
    source.onmessage = ({ data }: MessageEvent<string>) => setState(JSON.parse(data) as PageState);
    source.onopen = () => setIsCut(false);
    source.onerror = () => setIsCut(true);
    return () => source.close();
  }, [viewer]);
  return { state, isCut };
}

async function send(action: OwnAction & { user: string }): Promise<ActionAnswer> {
  try {
    const response = await fetch('/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    return (await response.json()) as ActionAnswer;
  } catch {
    return { problem: GONE };
  }
}
