import { Blocks } from './blocks.tsx';
import { useDemo } from './demo-context.ts';
import { list } from './json.ts';

/** The bot's Home tab, once it published one. */
export function Home() {
  const { state } = useDemo();
  const { home } = state;
  return (
    <div className="messages home">
      {home === undefined ? (
        <p className="empty">The bot has published no Home tab.</p>
      ) : (
        <Blocks blocks={list(home.view.blocks)} origin={{ view: home.id }} />
      )}
    </div>
  );
}
