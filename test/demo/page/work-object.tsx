import { useEffect, useRef, useState } from 'react';
import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { Element } from './elements.tsx';
import { labelOf, titleOf } from './page-data.ts';

interface WorkObjectProps {
  readonly entity: Json;
  /** Where it stands. */
  readonly origin: {
    readonly message: { readonly channel: string; readonly ts: string };
    readonly link: string;
  };
}

/** What stands under a link: the title, which opens the side panel, the fields and the buttons. */
export function WorkObject({ entity, origin }: WorkObjectProps) {
  const { perform, go } = useDemo();
  const { attributes, actions } = record(entity.entity_payload);
  const open = async () => {
    if (await perform({ kind: 'panel', ...origin })) go({ hasPanel: true, pane: 'thread' });
  };
  return (
    <>
      <button type="button" className="entity-title" onClick={() => void open()}>
        {labelOf(record(attributes).title)}
      </button>
      <Fields entity={entity} />
      <fieldset className="actions" aria-label="Actions">
        {records(record(actions).primary_actions).map((action) => (
          <Element
            key={string(action.action_id)}
            element={{ ...action, type: 'button', text: { text: action.text } }}
            origin={origin}
          />
        ))}
      </fieldset>
    </>
  );
}

function Fields({ entity }: { entity: Json }) {
  return (
    <dl className="fields">
      {records(record(entity.entity_payload).custom_fields).map(({ key, label, value }) => (
        <div key={string(key)}>
          <dt>{string(label)}</dt>
          <dd>{string(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The side panel of a Work Object, in the place of a thread. As with Slack, only the client knows whether it is open. */
export function Panel() {
  const { state, spot, go } = useDemo();
  const box = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    box.current?.focus();
    return () => {
      // The focus was in the panel, which is gone.
      const isLost = document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  const channel = state.channels.find(({ id }) => id === spot.channel);
  const close = () => go({ hasPanel: false, pane: spot.thread === undefined ? 'conversation' : 'thread' });
  return (
    <section className="thread" aria-label="Side panel" ref={box} tabIndex={-1}>
      <header className="bar">
        <button type="button" className="back" onClick={close}>
          <span aria-hidden="true">‹ </span>
          {channel && titleOf(channel)}
        </button>
        <h2>Snapshot</h2>
        <button type="button" className="quiet close" onClick={close} aria-label="Close the side panel">
          ✕
        </button>
      </header>
      <div className="modal-body" aria-live="polite">
        {state.panel === undefined ? <p>Loading…</p> : <Details shown={state.panel} />}
      </div>
    </section>
  );
}

/** The Work Object, or why there is none. */
function Details({ shown }: { shown: Json }) {
  const { attributes } = record(shown.entity_payload);
  return (
    <>
      <h3 className="header-block">{labelOf(record(attributes).title) || string(shown.custom_title)}</h3>
      {attributes === undefined ? <p>{string(shown.custom_message)}</p> : <Fields entity={shown} />}
    </>
  );
}
