import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json, PageState } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { labelOf } from './page-data.ts';

interface OptionGroup {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The options that an element carries itself. */
export function optionGroups(element: Json): OptionGroup[] {
  const groups = records(element.option_groups).map((group) => ({
    label: labelOf(group.label),
    options: options(group.options),
  }));
  return groups.length > 0 ? groups : [{ label: '', options: options(element.options) }];
}

function options(value: unknown) {
  return records(value).map((option) => ({ value: string(option.value), label: labelOf(option.text) }));
}

/** People and conversations are listed by Slack itself. */
function people({ people: all }: PageState): OptionGroup[] {
  const named = all.filter(({ isBot }) => !isBot).map(({ id, realName }) => ({ value: id, label: realName }));
  return [{ label: '', options: named }];
}

function conversations({ channels, me }: PageState): OptionGroup[] {
  const shown = channels.map(({ id, name, kind }) => ({
    value: id,
    label: kind === 'im' || kind === 'app' ? name : `#${name}`,
  }));
  return [{ label: '', options: [...shown, { value: me.id, label: me.realName }] }];
}

interface SelectBoxProps {
  readonly element: Json;
  readonly groups: readonly OptionGroup[];
  readonly change: (value: string) => void;
  readonly id?: string;
  /** The chosen value; given only in a modal's input. In a message a choice goes to the bot at once. */
  readonly value?: string;
}

/** A menu of which one option is chosen. */
export function SelectBox({ element, groups, change, id, value }: SelectBoxProps) {
  const { state } = useDemo();
  const listed = { conversations_select: conversations, users_select: people }[string(element.type)];
  const all = listed?.(state) ?? groups;
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
      {all.map((group) =>
        group.label === '' ? (
          <Options key="all" group={group} />
        ) : (
          <optgroup key={group.label} label={group.label}>
            <Options group={group} />
          </optgroup>
        ),
      )}
    </select>
  );
}

function Options({ group }: { group: OptionGroup }) {
  return group.options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** What is chosen at first. */
export function initialValue(element: Json): string {
  return string(record(element.initial_option).value) || string(element.initial_user);
}
