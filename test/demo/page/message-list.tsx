import { useEffect, useRef } from 'react';
import type { ShownMessage } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { MessageItem } from './message-item.tsx';

interface MessageListProps {
  readonly messages: readonly ShownMessage[];
  readonly withThreads?: boolean;
}

/**
 * Scrolls to new messages while the reader is at the end, and after each line that the reader sends. An edit does not
 * scroll.
 */
export function MessageList({ messages, withThreads = false }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null);
  const { linesSent } = useDemo();
  const heard = useRef(linesSent);
  const wasAtEnd = useRef(true);
  const putAt = useRef(0);
  const latest = messages.at(-1);
  const version = `${latest?.ts} ${latest?.edited} ${latest?.text.length} ${JSON.stringify(latest?.unfurls ?? '').length}`;
  useEffect(() => {
    if (heard.current !== linesSent) wasAtEnd.current = true;
    heard.current = linesSent;
    if (version === '' || !wasAtEnd.current) return;
    box.current?.scrollTo({ top: box.current.scrollHeight });
    putAt.current = box.current?.scrollTop ?? 0;
  }, [version, linesSent]);
  const look = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    // If the list grows, its end moves away although the reader did not scroll.
    const isMoved = scrollTop !== putAt.current;
    wasAtEnd.current = scrollHeight - scrollTop - clientHeight < 60 || (wasAtEnd.current && !isMoved);
  };
  return (
    <div className="messages" ref={box} onScroll={look} role="log" aria-label="Messages">
      {messages.map((message) => (
        <MessageItem key={message.ts} message={message} withThread={withThreads} />
      ))}
      {messages.length === 0 && <p className="empty">Nothing was said here yet.</p>}
    </div>
  );
}
