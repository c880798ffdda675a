import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { records, string } from '../../emulators/slack/json.ts';
import type { OpenView } from '../wire.ts';
import { Blocks } from './blocks.tsx';
import { useDemo } from './demo-context.ts';
import { FormContext, filledIn } from './modal-form.ts';
import { labelOf } from './page-data.ts';

/** The modal on top, if one is open. */
export function Modal() {
  const { state } = useDemo();
  const open = state.views.at(-1);
  return open === undefined ? null : <OpenModal open={open} />;
}

function OpenModal({ open }: { open: OpenView }) {
  const { perform } = useDemo();
  const title = labelOf(open.view.title);
  const close = () => void perform({ kind: 'close', view: open.id });
  return (
    <ModalFrame title={title} form={string(open.view.callback_id)} close={close}>
      <ModalForm open={open}>
        <div className="modal-body">
          <Blocks blocks={records(open.view.blocks)} origin={{ view: open.id }} />
        </div>
        <footer>
          <button type="button" className="block-button" onClick={close}>
            {labelOf(open.view.close) || 'Close'}
          </button>
          {open.view.submit !== undefined && (
            <button type="submit" className="block-button primary">
              {labelOf(open.view.submit)}
            </button>
          )}
        </footer>
      </ModalForm>
    </ModalFrame>
  );
}

interface ModalFrameProps {
  readonly title: string;
  /** The id of the form. If a button replaces the form, the focus moves to the new form. */
  readonly form: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A window over the page. Its ✕ and Escape close it. */
export function ModalFrame({ title, form, close, children }: ModalFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Only `close` moves the focus back to where it was before.
    return () => shown?.close();
  }, []);
  useLayoutEffect(() => {
    if (form !== '') dialog.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
  }, [form]);
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    close();
  };
  return (
    <dialog className="modal" ref={dialog} aria-label={title} onCancel={cancel}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="quiet" aria-label="Close the modal" onClick={close}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

function ModalForm({ open, children }: { open: OpenView; children: ReactNode }) {
  const { perform } = useDemo();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fill = (field: string, value: string) => setValues((old) => ({ ...old, [field]: value }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void perform({ kind: 'submit', view: open.id, values: filledIn(records(open.view.blocks), values) });
  };
  return (
    <FormContext value={{ values, errors: open.errors, fill }}>
      <form onSubmit={submit}>{children}</form>
    </FormContext>
  );
}
