import { records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { Menu } from './menu.tsx';
import { labelOf } from './page-data.ts';
import { SelectBox } from './select-box.tsx';

/** The place of an element: a message, or a modal or Home tab. */
export type Origin =
  | { readonly message: { readonly channel: string; readonly ts: string }; readonly link?: string }
  | { readonly view: string };

interface ElementProps {
  readonly element: Json;
  readonly origin: Origin;
}

/** An interactive element. Its use is sent to the bot at once. */
export function Element({ element, origin }: ElementProps) {
  const use = useElement(element, origin);
  switch (element.type) {
    case 'button':
      return <Button element={element} use={use} />;
    case 'overflow':
      return <Overflow element={element} use={use} />;
    default:
      return <SelectBox element={element} change={use} />;
  }
}

/** Returns a function that sends a use of the element to the bot. */
function useElement(element: Json, origin: Origin): (value?: string) => void {
  const { perform } = useDemo();
  return (value) => {
    const actionId = string(element.action_id);
    void perform({ kind: 'click', actionId, ...(value === undefined ? {} : { value }), ...origin });
  };
}

interface UseProps {
  readonly element: Json;
  readonly use: (value?: string) => void;
}

function Button({ element, use }: UseProps) {
  const { value, url } = element;
  const label = labelOf(element.text);
  const style = element.style === undefined ? 'block-button' : `block-button ${string(element.style)}`;
  const told = string(element.accessibility_label) || undefined;
  const click = () => use(typeof value === 'string' ? value : undefined);
  if (typeof url === 'string') {
    return (
      <a className={style} href={url} target="_blank" rel="noreferrer" aria-label={told} onClick={click}>
        {label}
        {!label.endsWith('↗') && <span aria-hidden="true"> ↗</span>}
      </a>
    );
  }
  return (
    <button type="button" className={style} aria-label={told} onClick={click}>
      {label}
    </button>
  );
}

function Overflow({ element, use }: UseProps) {
  const items = records(element.options).map((option) => ({
    key: string(option.value),
    label: labelOf(option.text),
    use: () => use(string(option.value)),
  }));
  return <Menu className="overflow" label="More" mark="⋯" items={items} />;
}
