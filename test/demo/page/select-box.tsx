import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json, PageState } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { labelOf } from './page-data.ts';

/** The options as values and labels. Slack itself lists people and conversations. */
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
  /** The chosen value of a modal's input; absent in a message, where a choice is sent to the bot at once. */
  readonly value?: string;
}

/** A menu with a single choice. */
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

/** The initially chosen value. */
export function initialValue(element: Json): string {
  return string(record(element.initial_option).value) || string(element.initial_user);
}
