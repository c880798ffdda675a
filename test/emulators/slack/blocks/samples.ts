import type { Json } from '../json.ts';

/** A text of this many letters. */
export const x = (length: number): string => 'x'.repeat(length);

/** A plain text object. */
export const plain = (text = 'a'): Json => ({ type: 'plain_text', text });

/** A markup text object. */
export const markup = (text = 'a'): Json => ({ type: 'mrkdwn', text });

/** An option of a menu. */
export const option = (changes: Json = {}): Json => ({ text: plain(), value: 'a', ...changes });

/** A button. */
export const button = (changes: Json = {}): Json => ({
  type: 'button',
  action_id: 'go',
  text: plain(),
  ...changes,
});

/** A section. */
export const section = (changes: Json = {}): Json => ({ type: 'section', text: markup(), ...changes });

/** A row of elements. */
export const actions = (...elements: Json[]): Json => ({ type: 'actions', elements });

/** An input of a modal. */
export const input = (element: Json): Json => ({ type: 'input', label: plain(), element });

/** A menu. */
export const select = (changes: Json = {}): Json => ({
  type: 'static_select',
  action_id: 's',
  options: [option()],
  ...changes,
});

/** A group of options. */
export const group = (size: number): Json => ({ label: plain(x(75)), options: many(size, () => option()) });

/** A rich text block with these parts. */
export const richParts = (...elements: Json[]): Json => ({ type: 'rich_text', elements });

/** A rich text block with one paragraph. */
export const rich = (...elements: Json[]): Json => richParts({ type: 'rich_text_section', elements });

/** An array of this many items. */
export const many = (count: number, make: (index: number) => Json): Json[] =>
  Array.from({ length: count }, (_, index) => make(index));
