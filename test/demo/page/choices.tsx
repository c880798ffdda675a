import { useId } from 'react';
import type { Json } from '../wire.ts';
import { labelOf, list, string } from './json.ts';
import { initialValue } from './select-box.tsx';

interface ChoicesProps {
  readonly element: Json;
  /** Hears what is chosen. */
  readonly change: (value: string) => void;
  readonly chosen?: string;
}

/** Radio buttons. */
export function Choices({ element, change, chosen = initialValue(element) }: ChoicesProps) {
  const name = useId();
  return (
    <div className="choices">
      {list(element.options).map((option) => {
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
