import { useContext, useId } from 'react';
import type { Json } from '../wire.ts';
import { Choices } from './choices.tsx';
import type { Origin } from './elements.tsx';
import { labelOf, object, string } from './json.ts';
import { FormContext } from './modal-form.ts';
import { initialValue, optionGroups, SelectBox } from './select-box.tsx';

/** A labelled input of a modal. What is filled in is sent with the modal. */
export function InputBlock({ block }: { block: Json; origin: Origin }) {
  const id = useId();
  const { errors } = useContext(FormContext);
  const element = object(block.element);
  const hint = labelOf(block.hint);
  const error = errors[string(block.block_id)];
  const isGroup = element.type === 'radio_buttons';
  const label = `${labelOf(block.label)}${block.optional === true ? ' (optional)' : ''}`;
  return (
    <div className="input-block">
      {isGroup ? <span className="label">{label}</span> : <label htmlFor={id}>{label}</label>}
      <Field id={id} element={element} />
      {hint !== '' && <small>{hint}</small>}
      {error !== undefined && (
        <p className="input-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Field({ id, element }: { id: string; element: Json }) {
  const { values, fill } = useContext(FormContext);
  const actionId = string(element.action_id);
  const filled = values[actionId];
  const type = string(element.type);
  if (type === 'radio_buttons') {
    const chosen = filled ?? initialValue(element);
    return <Choices element={element} chosen={chosen} change={(next) => fill(actionId, next)} />;
  }
  if (type.includes('select')) {
    return (
      <SelectBox
        id={id}
        element={element}
        groups={optionGroups(element)}
        value={filled ?? initialValue(element)}
        change={(next) => fill(actionId, next)}
      />
    );
  }
  return <TextField id={id} element={element} />;
}

function TextField({ id, element }: { id: string; element: Json }) {
  const { values, fill } = useContext(FormContext);
  const actionId = string(element.action_id);
  const initial = string(element.initial_value ?? element.initial_date);
  const common = {
    id,
    value: values[actionId] ?? initial,
    placeholder: labelOf(element.placeholder),
    'data-focus': element.focus_on_load === true || undefined,
  };
  if (element.multiline === true) {
    return <textarea {...common} rows={4} onChange={(event) => fill(actionId, event.target.value)} />;
  }
  return (
    <input
      {...common}
      type={element.type === 'datepicker' ? 'date' : 'text'}
      onChange={(event) => fill(actionId, event.target.value)}
    />
  );
}
