import { type Json, record, records, string } from './json.ts';
import { type Names, readable, WIDTH, wrap } from './text-lines.ts';

type Draw = (block: Json, names: Names) => string[];

const DRAWN: Readonly<Record<string, Draw>> = {
  header: (block, names) => underlined(textOf(block.text, names)),
  section: (block, names) => [
    ...wrap(textOf(block.text, names)),
    ...records([block.accessory]).map((element) => control(element, names)),
  ],
  context: (block, names) => {
    const parts = records(block.elements).map((element) => textOf(element, names));
    return wrap(parts.join('  '), '  ');
  },
  actions: (block, names) => rows(records(block.elements).map((element) => control(element, names))),
  rich_text: (block, names) => records(block.elements).flatMap((part) => richPart(part, names)),
  input: (block, names) => [`${textOf(block.label, names)}: ${control(record(block.element), names)}`],
};

/** One block as lines. */
export function blockLines(block: Json, names: Names): string[] {
  const draw = DRAWN[string(block.type)];
  return draw ? draw(block, names) : [`(${string(block.type)})`];
}

function underlined(text: string): string[] {
  const lines = wrap(text);
  return [...lines, '═'.repeat(Math.max(...lines.map((line) => line.length)))];
}

function textOf(value: unknown, names: Names): string {
  const { type, text } = record(value);
  return type === 'mrkdwn' ? readable(string(text), names) : string(text);
}

function control(element: Json, names: Names): string {
  const label = textOf(element.text, names);
  switch (element.type) {
    case 'button':
      return element.url === undefined ? `[ ${label} ]` : `[ ${label} ↗ ]`;
    case 'overflow':
      return '[ ⋯ ]';
    case 'radio_buttons':
      return records(element.options)
        .map((option) => `( ) ${textOf(option.text, names)}`)
        .join('  ');
    default:
      return selectLabel(element, names);
  }
}

function selectLabel(element: Json, names: Names): string {
  const chosen = record(element.initial_option).text ?? element.placeholder;
  const typed = string(element.type).endsWith('_input');
  const label = typed ? string(element.initial_value) : textOf(chosen, names);
  return typed ? `[ ${label || '______'} ]` : `[ ${label || 'Choose'} ▾ ]`;
}

function rows(labels: readonly string[]): string[] {
  const lines: string[] = [];
  for (const label of labels) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + label.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${label}`;
    else lines.push(label);
  }
  return lines;
}

function richPart(part: Json, names: Names): string[] {
  if (part.type !== 'rich_text_preformatted') return wrap(inline(part, names).replace(/\n$/, ''));
  return inline(part, names)
    .split('\n')
    .map((line) => `    ${line}`);
}

function inline(part: Json, names: Names): string {
  return records(part.elements)
    .map((element) => inlineElement(element, names))
    .join('');
}

function inlineElement(element: Json, names: Names): string {
  const name = (id: unknown) => names.get(string(id)) ?? string(id);
  switch (element.type) {
    case 'link':
      return element.text === undefined
        ? string(element.url)
        : `${string(element.text)} (${string(element.url)})`;
    case 'user':
      return `@${name(element.user_id)}`;
    case 'channel':
      return `#${name(element.channel_id)}`;
    case 'date':
      return string(element.fallback);
    default:
      return string(element.text);
  }
}
