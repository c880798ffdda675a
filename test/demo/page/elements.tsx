import type { Json } from '../wire.ts';
import { Choices } from './choices.tsx';
import { useDemo } from './demo-context.ts';
import { labelOf, list, object, string } from './json.ts';
import { Menu } from './menu.tsx';
import { optionGroups, SelectBox } from './select-box.tsx';

/** Where an element stands: in a message or in a modal or Home tab. */
export type Origin =
  | { readonly message: { readonly channel: string; readonly ts: string } }
  | { readonly view: string };

interface ElementProps {
  readonly element: Json;
  readonly origin: Origin;
  /** What it stands beside, for whoever can't see that. */
  readonly about?: string;
}

/** An element that can be used; using it tells the bot at once. */
export function Element({ element, origin, about = '' }: ElementProps) {
  const use = useElement(element, origin);
  switch (element.type) {
    case 'button':
      return <Button element={element} use={use} />;
    case 'overflow':
      return <Overflow element={element} use={use} />;
    case 'radio_buttons':
    case 'checkboxes':
      return <Choices element={element} change={([value]) => value !== undefined && use(value)} />;
    case 'datepicker':
    case 'timepicker':
      return <Picker element={element} use={use} />;
    default:
      return <SelectBox element={element} label={about} change={use} groups={optionGroups(element)} />;
  }
}

/** Tells the bot, after the confirmation that the element may ask for. */
function useElement(element: Json, origin: Origin): (value?: string) => void {
  const { perform } = useDemo();
  return (value) => {
    const confirm = object(element.confirm);
    const question = [labelOf(confirm.title), labelOf(confirm.text)].filter(Boolean).join('\n\n');
    if (question !== '' && !window.confirm(question)) return;
    const actionId = string(element.action_id);
    void perform({ kind: 'click', actionId, ...(value === undefined ? {} : { value }), ...origin });
  };
}

interface UseProps {
  readonly element: Json;
  readonly use: (value?: string) => void;
}

function Button({ element, use }: UseProps) {
  const { value, url, action_id } = element;
  const action = `${string(action_id)} ${string(value)}`;
  const label = labelOf(element.text);
  const style = element.style === undefined ? 'block-button' : `block-button ${string(element.style)}`;
  const told = string(element.accessibility_label) || undefined;
  const click = () => use(typeof value === 'string' ? value : undefined);
  if (typeof url === 'string') {
    return (
      <a
        data-action={action}
        className={style}
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={told}
        onClick={click}
      >
        {label}
        <span aria-hidden="true"> ↗</span>
      </a>
    );
  }
  return (
    <button type="button" data-action={action} className={style} aria-label={told} onClick={click}>
      {label}
    </button>
  );
}

function Overflow({ element, use }: UseProps) {
  const items = list(element.options).map((option) => ({
    key: string(option.value),
    label: labelOf(option.text),
    use: () => use(string(option.value)),
  }));
  return <Menu className="overflow" label="More" mark="⋯" items={items} />;
}

function Picker({ element, use }: UseProps) {
  const isDate = element.type === 'datepicker';
  return (
    <input
      type={isDate ? 'date' : 'time'}
      aria-label={labelOf(element.placeholder) || (isDate ? 'Date' : 'Time')}
      defaultValue={string(isDate ? element.initial_date : element.initial_time)}
      onChange={(event) => use(event.target.value)}
    />
  );
}
