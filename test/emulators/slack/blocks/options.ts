import { type Json, records, sameJson } from '../json.ts';
import { type Check, checkKeys, checkList, checkString, fail } from './check.ts';
import { checkPlain, checkText } from './texts.ts';

/** The limits of an option of this element. */
interface OptionRule {
  readonly max: number;
  readonly markup?: boolean;
}

/** Checks the options of a menu or of radio buttons. */
export function checkOptions(check: Check, path: string, value: unknown, { max, markup }: OptionRule): void {
  for (const { item, path: at } of checkList(check, path, value, max)) {
    checkKeys(check, at, item, ['text', 'value']);
    if (markup) checkText(check, `${at}/text`, item.text, 75);
    else checkPlain(check, `${at}/text`, item.text, 75);
    checkString(check, `${at}/value`, item.value, 75);
  }
}

/** Checks a menu's options: either one list or a list of groups. */
export function checkMenu(check: Check, path: string, element: Json): void {
  if ((element.options === undefined) === (element.option_groups === undefined)) {
    fail(check, path, 'must have either options or option_groups');
    return;
  }
  if (element.options !== undefined) {
    checkOptions(check, `${path}/options`, element.options, { max: 100 });
    return;
  }
  for (const group of checkList(check, `${path}/option_groups`, element.option_groups, 100)) {
    checkKeys(check, group.path, group.item, ['label', 'options']);
    checkPlain(check, `${group.path}/label`, group.item.label, 75);
    checkOptions(check, `${group.path}/options`, group.item.options, { max: 100 });
  }
}

/** All options of an element, including those in groups. */
export function optionsOf(element: Json): Json[] {
  const groups = records(element.option_groups).flatMap((group) => records(group.options));
  return [...records(element.options), ...groups];
}

/** Checks that a preselected option is exactly one of the options. */
export function checkInitial(check: Check, path: string, element: Json): void {
  const { initial_option: chosen } = element;
  if (chosen !== undefined && !optionsOf(element).some((known) => sameJson(known, chosen))) {
    fail(check, path, 'the initial option must exactly match one of the options');
  }
}
