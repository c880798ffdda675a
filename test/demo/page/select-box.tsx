import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json, PageState } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { labelOf } from './page-data.ts';

/** What can be chosen, as value and label; people and conversations are listed by Slack itself. */
function choicesOf(element: Json, { people, channels, me }: PageState): [value: string, label: string][] {
  switch (element.type) {
    case 'users_select':
      return people.filter(({ isBot }) => !isBot).map(({ id, realName }) => [id, realName]);
    case 'conversations_select': {
      const shown = channels.map(({ id, name, kind }): [string, string] => [
        id,
        kind === 'im' || kind === 'app' ? name : `#${name}`,
      ]);
      return [...shown, [me.id, me.realName]];
    }
    default:
      return records(element.options).map(({ value, text }) => [string(value), labelOf(text)]);
  }
}

interface SelectBoxProps {
  readonly element: Json;
  readonly change: (value: string) => void;
  readonly id?: string;
  /** The chosen value; given only in a modal's input. In a message a choice goes to the bot at once. */
  readonly value?: string;
}

/** A menu of which one option is chosen. */
export function SelectBox({ element, change, id, value }: SelectBoxProps) {
  const { state } = useDemo();
  const placeholder = labelOf(element.placeholder) || 'Choose';
  return (
    <select
      id={id}
      aria-label={id === undefined ? placeholder : undefined}
      value={value ?? initialValue(element)}
      onChange={(event) => change(event.target.value)}
    >
      <option value="" disabled>
        {placeholder}
      </option>
      {choicesOf(element, state).map(([choice, label]) => (
        <option key={choice} value={choice}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** What is chosen at first. */
export function initialValue(element: Json): string {
  return string(record(element.initial_option).value) || string(element.initial_user);
}
