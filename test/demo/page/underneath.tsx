import { useEffect, useRef } from 'react';
import type { FlowStep } from '../wire.ts';
import { useDemo } from './demo-context.ts';

/** The exchanges between Slack, the bot and the service, the latest at the bottom. */
export function Underneath() {
  const { state, perform } = useDemo();
  const { steps, bot, breaches } = state;
  const box = useRef<HTMLOListElement>(null);
  const latest = `${steps.length} ${steps.at(-1)?.id}`;
  useEffect(() => {
    if (latest !== '') box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [latest]);
  return (
    <section className="underneath" aria-label="What happens underneath">
      <h2>What happens underneath</h2>
      <div className="lanes" aria-hidden="true">
        <span>Slack</span>
        <span>Bot</span>
        <span>Service</span>
      </div>
      <ol ref={box}>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} previousAt={steps[index - 1]?.at} />
        ))}
        {steps.length === 0 && <li className="empty">Nothing was said yet.</li>}
      </ol>
      {bot.isControllable && bot.state === 'running' && (
        <button
          type="button"
          className="block-button"
          title="Best in the middle of a wait: what was accepted is answered after the next start."
          onClick={() => void perform({ kind: 'bot', what: 'kill' })}
        >
          kill -9 the bot
        </button>
      )}
      {breaches.length > 0 && <pre className="breaches">{[...new Set(breaches)].join('\n')}</pre>}
    </section>
  );
}

const LANES = { slack: 'Slack', bot: 'the bot', service: 'the service' };

function Step({ step, previousAt }: { step: FlowStep; previousAt: number | undefined }) {
  const { from, to, what, answer, state, ms, at, detail } = step;
  const kinds = `step ${from}-${to} ${state}`;
  return (
    <li className={kinds}>
      {previousAt !== undefined && at - previousAt > 1_500 && (
        <p className="pause">{((at - previousAt) / 1_000).toFixed(1)} s later</p>
      )}
      <details>
        <summary>
          <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
          <span className="sr">
            {LANES[from]} to {LANES[to]}:
          </span>
          <span className="what">{what}</span>
          <span className="answer">
            {state === 'open' ? '…' : answer}
            {ms !== undefined && ` · ${ms < 1 ? '<1' : Math.round(ms)} ms`}
          </span>
        </summary>
        <pre>{detail}</pre>
      </details>
    </li>
  );
}

function clock(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour12: false });
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
