import { useContext, useId } from 'react';
import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { FormContext, fieldOf } from './modal-form.ts';
import { labelOf } from './page-data.ts';
import { initialValue, SelectBox } from './select-box.tsx';

/** A labelled input of a modal. Its value is sent when the modal is submitted. */
export function InputBlock({ block }: { block: Json }) {
  const id = useId();
  const { errors } = useContext(FormContext);
  const element = record(block.element);
  const hint = labelOf(block.hint);
  const error = errors[string(block.block_id)];
  const isGroup = element.type === 'radio_buttons';
  const label = `${labelOf(block.label)}${block.optional === true ? ' (optional)' : ''}`;
  return (
    <div className="input-block">
      {isGroup ? <span className="label">{label}</span> : <label htmlFor={id}>{label}</label>}
      <Field id={id} field={fieldOf(block)} element={element} />
      {hint !== '' && <small>{hint}</small>}
      {error !== undefined && (
        <p className="input-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  readonly id: string;
  /** The name of the input in the form. */
  readonly field: string;
  readonly element: Json;
}

function Field({ id, field, element }: FieldProps) {
  const { values, fill } = useContext(FormContext);
  const type = string(element.type);
  const change = (next: string) => fill(field, next);
  const value = values[field] ?? (string(element.initial_value) || initialValue(element));
  if (type === 'radio_buttons') return <Choices element={element} chosen={value} change={change} />;
  if (type !== 'plain_text_input')
    return <SelectBox id={id} element={element} value={value} change={change} />;
  const common = {
    id,
    value,
    maxLength: typeof element.max_length === 'number' ? element.max_length : undefined,
    placeholder: labelOf(element.placeholder),
    'data-focus': element.focus_on_load === true || undefined,
  };
  return element.multiline === true ? (
    <textarea {...common} rows={4} onChange={(event) => change(event.target.value)} />
  ) : (
    <input {...common} type="text" onChange={(event) => change(event.target.value)} />
  );
}

interface ChoicesProps {
  readonly element: Json;
  /** Called with the chosen value. */
  readonly change: (value: string) => void;
  readonly chosen: string;
}

function Choices({ element, change, chosen }: ChoicesProps) {
  const name = useId();
  return (
    <div className="choices">
      {records(element.options).map((option) => {
        const value = string(option.value);
        return (
          <label key={value}>
            <input type="radio" name={name} checked={chosen === value} onChange={() => change(value)} />
            <span>{labelOf(option.text)}</span>
          </label>
        );
      })}
    </div>
  );
}
