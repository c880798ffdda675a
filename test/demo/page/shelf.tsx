import type { ShelfBook } from '../wire.ts';
import { useDemo } from './demo-context.ts';

/** The snapshots of the shelf, each with its purpose. */
export function Shelf() {
  const { state } = useDemo();
  return (
    <ul className="shelf">
      {state.shelf.map((book) => (
        <li key={book.id}>
          <Book book={book} />
        </li>
      ))}
      <li>
        <Book
          book={{
            id: '9999',
            title: 'Unknown',
            purpose: 'An id that the service doesn’t know: 404.',
            command: '9999',
            isSlow: false,
          }}
        />
      </li>
    </ul>
  );
}

function Book({ book: { id, title, purpose, command: words, isSlow } }: { book: ShelfBook }) {
  const { state, suggest, go } = useDemo();
  const [command] = state.app.commands;
  const line = `${command?.command ?? '/snapshot'} ${words}`;
  const type = () => {
    go({ pane: 'conversation', tab: 'messages' });
    suggest(line);
  };
  return (
    <>
      <p>
        <strong>
          {id} · {title}
        </strong>
        {isSlow && <span className="slow">takes time</span>}
      </p>
      <p>{purpose}</p>
      <button type="button" className="block-button" onClick={type} aria-label={`Type ${line}`}>
        <code>{line}</code>
      </button>
    </>
  );
}
