import { type Json, records } from '../json.ts';

/** All options of an element, including those in groups. */
export function optionsOf(element: Json): Json[] {
  const groups = records(element.option_groups).flatMap((group) => records(group.options));
  return [...records(element.options), ...groups];
}
