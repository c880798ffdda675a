import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { PageState, ShownChannel } from '../wire.ts';
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

/** The message box, with the usage hint and the suggestions. */
export function Composer({ channel, threadTs }: ComposerProps) {
  const { state } = useDemo();
  const inThread = threadTs !== undefined;
  const { box, line, setLine } = useLine(inThread);
  const listId = useId();
  const send = useSending(channel, threadTs, () => setLine(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(line);
  };
  const title = `Message ${titleOf(channel)}`;
  return (
    <div className="composer">
      <form className="box" onSubmit={submit}>
        <input
          ref={box}
          value={line}
          list={listId}
          autoComplete="off"
          aria-label={inThread ? 'Reply' : title}
          placeholder={inThread ? 'Reply, or mention @snapshot' : title}
          onChange={({ target }) => setLine(target.value)}
        />
        <datalist id={listId}>
          {suggestions(state, inThread).map(([value, label]) => (
            <option key={value} value={value} label={label} />
          ))}
        </datalist>
        <button type="submit" className="primary" disabled={line.trim() === ''}>
          Send
        </button>
      </form>
      <p className="hint">{usageOf(line, state) || IDLE_HINTS[inThread ? 'thread' : 'channel']}</p>
    </div>
  );
}

/** Suggested lines with their labels: the snapshots of the shelf, and people. Threads have no slash commands. */
function suggestions({ app, shelf, people }: PageState, inThread: boolean): [line: string, label: string][] {
  const [{ command = '' } = {}] = app.commands;
  const start = inThread ? '@snapshot' : command;
  return [
    ...shelf.map((book): [string, string] => [`${start} ${book.command}`, book.title]),
    ...people.map(({ name, realName }): [string, string] => [`@${name} `, realName]),
  ];
}

/** The usage hint of the command that is being typed. */
function usageOf(line: string, { app }: PageState): string {
  const typed = app.commands.find(({ command }) => `${line} `.startsWith(`${command} `));
  return typed === undefined ? '' : `${typed.command} ${typed.hint}`;
}

/** The line in the box. A click on the shelf fills it in. */
function useLine(inThread: boolean) {
  const { suggestedLine } = useDemo();
  const [line, setLine] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const heard = useRef(suggestedLine.count);
  useEffect(() => {
    if (suggestedLine.count === heard.current || inThread) return;
    heard.current = suggestedLine.count;
    setLine(suggestedLine.line);
    box.current?.focus();
  }, [suggestedLine, inThread]);
  return { box, line, setLine };
}

/** Sends a line like Slack, and empties the box if that succeeds. */
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
    const said = { channel: channel.id, line: text };
    await perform(
      isCommand ? { kind: 'command', ...said } : { kind: 'say', ...said, ...(threadTs && { threadTs }) },
    );
  };
}
