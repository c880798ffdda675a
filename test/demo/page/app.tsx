import { Conversation } from './conversation.tsx';
import { DemoContext, useDemo } from './demo-context.ts';
import { Modal } from './modal.tsx';
import { SidePanel } from './side-panel.tsx';
import { Sidebar } from './sidebar.tsx';
import { Thread } from './thread.tsx';
import { usePage } from './use-page.ts';

export function App() {
  const demo = usePage();
  if (demo === undefined) return <p className="loading">The demo is starting…</p>;
  const { thread, pane } = demo.spot;
  return (
    <DemoContext value={demo}>
      <div className="frame" data-pane={pane} data-thread={thread !== undefined}>
        <Sidebar />
        <Conversation />
        <Thread />
        <SidePanel />
      </div>
      <BotTrouble />
      <Problem />
      <Modal key={demo.state.views.at(-1)?.id ?? 'none'} />
    </DemoContext>
  );
}

function Problem() {
  const { problem, dismiss } = useDemo();
  if (problem === '') return null;
  return (
    <div className="problem" role="alert">
      <p>{problem}</p>
      <button type="button" className="quiet" onClick={dismiss} aria-label="Close this notice">
        ✕
      </button>
    </div>
  );
}

/** Says that the bot is not running and why, and offers to start it again. */
function BotTrouble() {
  const { state, perform } = useDemo();
  const { bot } = state;
  if (bot.state === 'running') return null;
  const isStarting = bot.state === 'starting';
  return (
    <section className="trouble" aria-label="The bot is not running" aria-live="polite">
      <p>
        <strong>{isStarting ? 'The bot is starting…' : troubleWords(bot.state)}</strong>
      </p>
      {!isStarting && (
        <button
          type="button"
          className="primary"
          onClick={() => void perform({ kind: 'bot', what: 'start' })}
        >
          Start it again
        </button>
      )}
      {bot.state === 'died' && (
        <details>
          <summary>Its last log lines</summary>
          <pre>{bot.lastLines.join('\n')}</pre>
        </details>
      )}
    </section>
  );
}

function troubleWords(state: string): string {
  return state === 'died'
    ? 'The bot ended, though nobody asked it to.'
    : 'The bot is not running. What was accepted is written down: it goes on when the bot is started again.';
}
