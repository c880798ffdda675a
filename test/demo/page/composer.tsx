import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ShownChannel } from '../wire.ts';
import { commandHint, type Suggestion, suggestions } from './completion.ts';
import { useDemo } from './demo-context.ts';
import { titleOf } from './page-data.ts';

interface ComposerProps {
  readonly channel: ShownChannel;
  readonly threadTs?: string;
}

const IDLE_HINTS = {
  channel:
    'Type / for the command, @ to mention somebody, or paste a link: https://service.example.com/snapshots/1001',
  thread: 'Threads have no slash commands: mention the bot, as in @snapshot 1001',
};

/** The message box, with what the command expects and what could come next. */
export function Composer({ channel, threadTs }: ComposerProps) {
  const { state } = useDemo();
  const inThread = threadTs !== undefined;
  const { box, line, write } = useLine(inThread);
  const [chosen, setChosen] = useState(-1);
  const listId = useId();
  const send = useSending(channel, threadTs, () => write(''));
  const offers = suggestions(line, { ...state, inThread });
  const take = (next: string) => {
    write(next);
    setChosen(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keyed(event.key, { offers, chosen });
    if (next === undefined) return;
    event.preventDefault();
    if (next.line !== undefined) take(next.line);
    else if (next.chosen !== undefined) setChosen(next.chosen);
    else void send(line);
  };
  return (
    <div className="composer">
      {offers.length > 0 && <Offers id={listId} offers={offers} chosen={chosen} take={take} />}
      <div className="box">
        <input
          ref={box}
          value={line}
          {...comboProps(listId, offers.length > 0, chosen)}
          {...wording(inThread, titleOf(channel))}
          onChange={(event) => take(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="primary"
          disabled={line.trim() === ''}
          onClick={() => void send(line)}
        >
          Send
        </button>
      </div>
      <p className="hint">{commandHint(line, state.app) || IDLE_HINTS[inThread ? 'thread' : 'channel']}</p>
    </div>
  );
}

/** What is in the box; a snapshot taken from the shelf is typed into it. */
function useLine(inThread: boolean) {
  const { suggestedLine } = useDemo();
  const [line, setLine] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const heard = useRef(suggestedLine.count);
  const write = (next: string) => {
    setLine(next);
    box.current?.focus();
  };
  useEffect(() => {
    if (suggestedLine.count === heard.current || inThread) return;
    heard.current = suggestedLine.count;
    setLine(suggestedLine.line);
    box.current?.focus();
  }, [suggestedLine, inThread]);
  return { box, line, write };
}

function comboProps(listId: string, isOpen: boolean, chosen: number) {
  return {
    role: 'combobox',
    autoComplete: 'off',
    'aria-expanded': isOpen,
    'aria-controls': listId,
    'aria-activedescendant': chosen >= 0 ? `${listId}-${chosen}` : undefined,
  };
}

function wording(inThread: boolean, title: string) {
  return inThread
    ? { 'aria-label': 'Reply', placeholder: 'Reply, or mention @snapshot' }
    : { 'aria-label': `Message ${title}`, placeholder: `Message ${title}` };
}

/** Sends a line the way Slack would; empties the box when it goes. */
function useSending(channel: ShownChannel, threadTs: string | undefined, empty: () => void) {
  const { perform, complain } = useDemo();
  return async (line: string): Promise<void> => {
    const text = line.trim();
    if (text === '') return;
    const isCommand = text.startsWith('/');
    if (isCommand && threadTs !== undefined) {
      complain('Slash commands do not exist in threads: Slack does not send them. Mention the bot instead.');
      return;
    }
    empty();
    await (isCommand
      ? perform({ kind: 'command', channel: channel.id, line: text })
      : perform({
          kind: 'say',
          channel: channel.id,
          line: text,
          ...(threadTs === undefined ? {} : { threadTs }),
        }));
  };
}

interface Keyed {
  readonly line?: string;
  readonly chosen?: number;
}

/** What a key means: walk the offers, take one, or (an empty answer) send. */
function keyed(
  key: string,
  { offers, chosen }: { offers: readonly Suggestion[]; chosen: number },
): Keyed | undefined {
  const count = offers.length;
  if (key === 'ArrowDown' && count > 0) return { chosen: (chosen + 1) % count };
  if (key === 'ArrowUp' && count > 0) return { chosen: (chosen <= 0 ? count : chosen) - 1 };
  const taken = offers[key === 'Tab' ? Math.max(chosen, 0) : chosen];
  if ((key === 'Tab' || key === 'Enter') && taken !== undefined) return { line: taken.line };
  return key === 'Enter' ? {} : undefined;
}

interface OffersProps {
  readonly id: string;
  readonly offers: readonly Suggestion[];
  readonly chosen: number;
  readonly take: (line: string) => void;
}

function Offers({ id, offers, chosen, take }: OffersProps) {
  return (
    <div className="offers" id={id} role="listbox" aria-label="Suggestions">
      {offers.map(({ line, label, hint }, index) => (
        <button
          key={line}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onClick={() => take(line)}
        >
          <strong>{label}</strong>
          <small>{hint}</small>
        </button>
      ))}
    </div>
  );
}
