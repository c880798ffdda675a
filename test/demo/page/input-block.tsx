import { useContext, useId } from 'react';
import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { FormContext, fieldOf } from './modal-form.ts';
import { labelOf } from './page-data.ts';
import { initialValue, optionGroups, SelectBox } from './select-box.tsx';

/** A labelled input of a modal. What is filled in is sent with the modal. */
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
  /** Its name in the form. */
  readonly field: string;
  readonly element: Json;
}

function Field({ id, field, element }: FieldProps) {
  const { values, fill } = useContext(FormContext);
  const filled = values[field];
  const type = string(element.type);
  if (type === 'radio_buttons') {
    const chosen = filled ?? initialValue(element);
    return <Choices element={element} chosen={chosen} change={(next) => fill(field, next)} />;
  }
  if (type.includes('select')) {
    return (
      <SelectBox
        id={id}
        element={element}
        groups={optionGroups(element)}
        value={filled ?? initialValue(element)}
        change={(next) => fill(field, next)}
      />
    );
  }
  return <TextField id={id} field={field} element={element} />;
}

function TextField({ id, field, element }: FieldProps) {
  const { values, fill } = useContext(FormContext);
  const initial = string(element.initial_value ?? element.initial_date);
  const common = {
    id,
    value: values[field] ?? initial,
    maxLength: typeof element.max_length === 'number' ? element.max_length : undefined,
    placeholder: labelOf(element.placeholder),
    'data-focus': element.focus_on_load === true || undefined,
  };
  if (element.multiline === true) {
    return <textarea {...common} rows={4} onChange={(event) => fill(field, event.target.value)} />;
  }
  return (
    <input
      {...common}
      type={element.type === 'datepicker' ? 'date' : 'text'}
      onChange={(event) => fill(field, event.target.value)}
    />
  );
}

interface ChoicesProps {
  readonly element: Json;
  /** Hears what is chosen. */
  readonly change: (value: string) => void;
  readonly chosen?: string;
}

/** Radio buttons. */
function Choices({ element, change, chosen = initialValue(element) }: ChoicesProps) {
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
