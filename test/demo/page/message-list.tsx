import { useEffect, useRef } from 'react';
import type { ShownMessage } from '../wire.ts';
import { MessageItem } from './message-item.tsx';
import { useOneStop } from './use-one-stop.ts';

interface MessageListProps {
  readonly messages: readonly ShownMessage[];
  readonly withThreads?: boolean;
}

/** Stays at the end while new messages come, as long as the reader is there; an edit moves nothing. */
export function MessageList({ messages, withThreads = false }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  const latest = messages.at(-1);
  const version = `${latest?.ts} ${latest?.edited} ${latest?.text.length}`;
  useEffect(() => {
    if (version !== '' && wasAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [version]);
  const stop = useOneStop(box);
  const look = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    wasAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
  };
  return (
    <div className="messages" ref={box} onScroll={look} role="log" aria-label="Messages" {...stop}>
      {messages.map((message) => (
        <MessageItem key={message.ts} message={message} withThread={withThreads} />
      ))}
      {messages.length === 0 && <p className="empty">Nothing was said here yet.</p>}
    </div>
  );
}
