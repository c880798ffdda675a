import { elementsOf, optionsOf } from '../blocks/elements.ts';
import { type Json, record } from '../json.ts';

/** An interactive element with the block it is in. */
export interface Found {
  readonly block: Json;
  readonly element: Json;
}

const PICKED: Readonly<Record<string, string>> = {
  conversations_select: 'conversation',
  users_select: 'user',
};

/** The interactive elements of blocks, in the order in which they are shown. */
export function interactiveElements(blocks: readonly Json[]): Found[] {
  return blocks.flatMap((block) => elementsOf(block).map((element) => ({ block, element })));
}

/** The element with this action id that accepts this value. Throws an error that lists the existing elements. */
export function findElement(blocks: readonly Json[], actionId: string, value?: string): Found {
  const all = interactiveElements(blocks);
  const found = all
    .filter(({ element }) => element.action_id === actionId)
    .find(({ element }) => value === undefined || takes(element, value));
  if (found) return found;
  const there = all.map(({ element }) => `${String(element.action_id)} (${values(element).join(', ')})`);
  const wanted = value === undefined ? actionId : `${actionId} with ${JSON.stringify(value)}`;
  throw new Error(`There is no element ${wanted}. There is: ${there.join('; ') || 'none'}`);
}

function values(element: Json): string[] {
  if (element.type === 'button') return [String(element.value ?? element.url ?? '')];
  return optionsOf(element).map((option) => String(option.value));
}

function takes(element: Json, value: string): boolean {
  if (element.type === 'button') return element.value === value;
  const options = optionsOf(element);
  return options.length === 0 || options.some((option) => option.value === value);
}

/** The state of an element after a person chose or typed this value. */
export function stateOf(element: Json, chosen?: string): Json | undefined {
  const type = String(element.type);
  if (type === 'button' || type === 'overflow') return undefined;
  if (type === 'plain_text_input') return { type, value: chosen ?? element.initial_value ?? null };
  const picked = PICKED[type];
  if (picked) return { type, [`selected_${picked}`]: chosen ?? element[`initial_${picked}`] ?? null };
  const first = element.initial_option ?? null;
  return { type, selected_option: chosen === undefined ? first : option(element, chosen) };
}

function option(element: Json, value: string): Json {
  const found = optionsOf(element).find((known) => known.value === value);
  if (!found) throw new Error(`There is no option ${JSON.stringify(value)}: ${values(element).join(', ')}`);
  return found;
}

/** The entry in `actions` of the payload for this element. */
export function actionOf(found: Found, value: string | undefined, ts: string): Json {
  const { block, element } = found;
  const common = {
    action_id: element.action_id,
    block_id: block.block_id,
    type: element.type,
    action_ts: ts,
  };
  if (element.type === 'button') {
    const { text, value: carried, style, url } = element;
    return JSON.parse(JSON.stringify({ ...common, text, value: carried, style, url }));
  }
  if (value === undefined)
    throw new Error(`${String(element.action_id)} needs a value: ${values(element).join(', ')}`);
  if (element.type === 'overflow') return { ...common, selected_option: option(element, value) };
  return { ...common, ...record(stateOf(element, value)), placeholder: element.placeholder };
}

/** The state of all elements of blocks, as `block_id` → `action_id` → value. */
export function stateOfAll(blocks: readonly Json[]): Record<string, Record<string, Json>> {
  const state: Record<string, Record<string, Json>> = {};
  for (const { block, element } of interactiveElements(blocks)) {
    const value = stateOf(element);
    if (!value) continue;
    const id = String(block.block_id);
    state[id] = { ...state[id], [String(element.action_id)]: value };
  }
  return state;
}
