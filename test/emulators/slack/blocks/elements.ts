import { isRecord, type Json, records } from '../json.ts';

/** The interactive elements of a block, in the order in which they are shown. */
export function elementsOf(block: Json): Json[] {
  return block.type === 'actions'
    ? records(block.elements)
    : [block.element, block.accessory].filter(isRecord);
}

/** The options of a menu. */
export function optionsOf({ options }: Json): Json[] {
  return records(options);
}
