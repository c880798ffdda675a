import { type Json, records, sameJson } from '../json.ts';
import { type Check, checkKeys, checkList, checkString, checkUrl, fail } from './check.ts';
import { checkOptionalPlain, checkPlain, checkText } from './texts.ts';

/** The limits of an option of this element. */
interface OptionRule {
  readonly max: number;
  readonly markup?: boolean;
  readonly links?: boolean;
}

/** Checks one option of a menu, of check boxes or of radio buttons. */
function checkOption(check: Check, path: string, option: Json, rule: OptionRule): void {
  checkKeys(check, path, option, ['text', 'value', 'description', ...(rule.links ? ['url'] : [])]);
  if (rule.markup) checkText(check, `${path}/text`, option.text, 75);
  else checkPlain(check, `${path}/text`, option.text, 75);
  checkString(check, `${path}/value`, option.value, 75);
  if (rule.markup && option.description !== undefined) {
    checkText(check, `${path}/description`, option.description, 75);
  } else checkOptionalPlain(check, `${path}/description`, option.description, 75);
  if (option.url !== undefined) checkUrl(check, `${path}/url`, option.url);
}

/** Checks a list of options. */
export function checkOptions(check: Check, path: string, value: unknown, rule: OptionRule): void {
  for (const { item, path: at } of checkList(check, path, value, rule.max))
    checkOption(check, at, item, rule);
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

/** Checks that each preselected option is exactly one of the options. */
export function checkInitial(check: Check, path: string, element: Json): void {
  const chosen =
    element.initial_options !== undefined
      ? checkList(check, `${path}/initial_options`, element.initial_options, 100).map(({ item }) => item)
      : [element.initial_option].filter((option) => option !== undefined);
  for (const option of chosen) {
    if (!optionsOf(element).some((known) => sameJson(known, option))) {
      fail(check, path, 'the initial option must exactly match one of the options');
    }
  }
}
