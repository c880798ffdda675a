import { useEffect, useState } from 'react';
import type { OwnAction } from '../actions.ts';
import type { SwitchName } from '../wire.ts';
import { useDemo } from './demo-context.ts';

const SWITCHES: readonly { readonly name: SwitchName; readonly label: string; readonly about: string }[] = [
  {
    name: 'loginRefused',
    label: 'The service refuses logins',
    about:
      'As if the password were wrong, and every session ends. When you turn this off, the bot restarts with the right one.',
  },
  { name: 'slow', label: 'The service is slow', about: 'Every answer takes 3 seconds longer.' },
  { name: 'resets', label: 'The service drops connections', about: 'Every request ends in a reset.' },
  {
    name: 'slack429',
    label: 'Slack answers 429',
    about: 'No post and no edit is allowed, until you turn it off.',
  },
];

/** Faults to turn on, and things that just happen. */
export function Faults() {
  const { state } = useDemo();
  return (
    <div className="faults">
      {SWITCHES.map((one) => (
        <Switch key={one.name} {...one} />
      ))}
      <Happening
        action={{ kind: 'expire' }}
        label="End every session now"
        about="The bot logs in again, once."
      />
      <Happening
        action={{ kind: 'redeliver' }}
        label="Deliver the latest once more"
        about="Slack does that when an acknowledgement got lost."
      />
      <Happening
        action={{ kind: 'reload' }}
        label="Start my Slack anew"
        about="What only you could see is gone then."
      />
      {state.bot.isControllable && <Killing />}
      <Breaches />
    </div>
  );
}

/** Shows its new position at once, and then the one that the server reports. */
function Switch({ name, label, about }: (typeof SWITCHES)[number]) {
  const { state, perform } = useDemo();
  const actual = state.switches[name];
  const [isOn, setIsOn] = useState(actual);
  useEffect(() => setIsOn(actual), [actual]);
  const turn = (next: boolean) => {
    setIsOn(next);
    void perform({ kind: 'switch', name, isOn: next });
  };
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => turn(target.checked)} />
      <span>
        <strong>{label}</strong>
        <small>{about}</small>
      </span>
    </label>
  );
}

function Happening({ action: done, label, about }: { action: OwnAction; label: string; about: string }) {
  const { perform } = useDemo();
  return (
    <p className="happening">
      <button type="button" className="block-button" onClick={() => void perform(done)}>
        {label}
      </button>
      <small>{about}</small>
    </p>
  );
}

function Killing() {
  const { state } = useDemo();
  return state.bot.state === 'running' ? (
    <Happening
      action={{ kind: 'bot', what: 'kill' }}
      label="kill -9 the bot"
      about="Best in the middle of a wait. What was accepted is answered after the next start."
    />
  ) : (
    <Happening
      action={{ kind: 'bot', what: 'start' }}
      label="Start the bot again"
      about="It goes on where it was."
    />
  );
}

/** The breaches that the emulators counted. */
function Breaches() {
  const { breaches } = useDemo().state;
  return (
    <details className="breaches">
      <summary>
        {breaches.length === 0
          ? '✓ No breach of Slack’s or the service’s rules'
          : `⚠ ${breaches.length} breaches`}
      </summary>
      <ul>
        {[...new Set(breaches)].map((breach) => (
          <li key={breach}>{breach}</li>
        ))}
        {breaches.length === 0 && <li>Both emulators check every call and would complain here.</li>}
      </ul>
    </details>
  );
}
