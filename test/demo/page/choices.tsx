import { useId } from 'react';
import type { Json } from '../wire.ts';
import { labelOf, list, object, string } from './json.ts';

interface ChoicesProps {
  readonly element: Json;
  /** Hears the chosen values. */
  readonly change: (values: string[]) => void;
  readonly chosen?: readonly string[];
}

/** Radio buttons and checkboxes. */
export function Choices({ element, change, chosen = initialValues(element) }: ChoicesProps) {
  const name = useId();
  const isRadio = element.type === 'radio_buttons';
  const toggled = (value: string) =>
    chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  return (
    <div className="choices">
      {list(element.options).map((option) => {
        const value = string(option.value);
        return (
          <label key={value}>
            <input
              type={isRadio ? 'radio' : 'checkbox'}
              name={name}
              checked={chosen.includes(value)}
              onChange={() => change(isRadio ? [value] : toggled(value))}
            />
            <span>{labelOf(option.text)}</span>
            {labelOf(option.description) !== '' && <small>{labelOf(option.description)}</small>}
          </label>
        );
      })}
    </div>
  );
}

/** What is chosen at first. */
export function initialValues(element: Json): string[] {
  const { initial_option, initial_options } = element;
  const several = list(initial_options).map(({ value }) => string(value));
  return initial_option === undefined ? several : [string(object(initial_option).value)];
}
