import { type FormEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { NOTHING_OPEN, useDemo } from './demo-context.ts';
import { ModalFrame } from './modal.tsx';

/** The form of the intake app's workflow, which posts the case in #support with a mention of the bot. */
export function IntakeForm() {
  const { state, perform, go } = useDemo();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const channel = state.channels.find(({ name }) => name === 'support');
  if (channel === undefined) return null;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { snapshot = '', about = '' } = Object.fromEntries(new FormData(event.currentTarget));
    close();
    go({ ...NOTHING_OPEN, channel: channel.id, pane: 'conversation' });
    await perform({ kind: 'intake', snapshot: String(snapshot), about: String(about) });
  };
  return (
    <section>
      <h2>Workflows of other apps</h2>
      <button type="button" className="channel" onClick={() => setOpen(true)}>
        <span aria-hidden="true" className="mark">
          ✎
        </span>
        New case
      </button>
      {isOpen && createPortal(<Form close={close} submit={submit} />, document.body)}
    </section>
  );
}

interface FormProps {
  readonly close: () => void;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
}

function Form({ close, submit }: FormProps) {
  return (
    <ModalFrame title="New case" form="intake" close={close}>
      <form onSubmit={submit}>
        <div className="modal-body">
          <Field label="What happens?" name="about" initial="edge-7 answers slowly." />
          <Field label="Snapshot id" name="snapshot" initial="1012" />
        </div>
        <footer>
          <button type="submit" className="block-button primary">
            Submit
          </button>
        </footer>
      </form>
    </ModalFrame>
  );
}

function Field({ label, name, initial }: { label: string; name: string; initial: string }) {
  return (
    <label className="input-block">
      <strong>{label}</strong>
      <input name={name} defaultValue={initial} required maxLength={500} />
    </label>
  );
}
