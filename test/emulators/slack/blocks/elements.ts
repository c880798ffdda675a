import { isRecord, type Json } from '../json.ts';
import { type Check, checkFlag, checkKeys, checkOptionalString, checkUrl, checkWord, fail } from './check.ts';
import { checkInitial, checkMenu, checkOptions } from './options.ts';
import { checkOptionalPlain, checkPlain } from './texts.ts';

/** The blocks that can hold an element. */
type Place = 'actions' | 'input';

/** The rules of one type of element. */
interface ElementRule {
  readonly places: readonly Place[];
  readonly keys: readonly string[];
  check(check: Check, path: string, element: Json): void;
}

const BOTH: readonly Place[] = ['actions', 'input'];
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const BUTTON: ElementRule = {
  places: ['actions'],
  keys: ['text', 'url', 'value', 'style', 'accessibility_label'],
  check(check, path, element) {
    checkPlain(check, `${path}/text`, element.text, 75);
    checkOptionalString(check, `${path}/value`, element.value, 2000);
    checkOptionalString(check, `${path}/accessibility_label`, element.accessibility_label, 75);
    checkWord(check, `${path}/style`, element.style, ['primary', 'danger']);
    if (element.url !== undefined) checkUrl(check, `${path}/url`, element.url);
  },
};

const TEXT: ElementRule = {
  places: ['input'],
  keys: ['placeholder', 'focus_on_load', 'initial_value', 'multiline', 'max_length'],
  check(check, path, element) {
    checkOptionalString(check, `${path}/initial_value`, element.initial_value, 3000, 0);
    const { max_length: most = 1 } = element;
    if (!Number.isInteger(most) || Number(most) < 1 || Number(most) > 3000) {
      fail(check, `${path}/max_length`, 'must be an integer from 1 to 3000');
    }
    checkFlag(check, `${path}/multiline`, element.multiline);
  },
};

const DATEPICKER: ElementRule = {
  places: BOTH,
  keys: ['placeholder', 'focus_on_load', 'initial_date'],
  check(check, path, { initial_date: date }) {
    if (date !== undefined && !(typeof date === 'string' && DATE.test(date))) {
      fail(check, `${path}/initial_date`, `must match ${DATE.source}`);
    }
  },
};

const MENU: ElementRule = {
  places: BOTH,
  keys: ['placeholder', 'focus_on_load', 'options', 'option_groups', 'initial_option'],
  check(check, path, element) {
    checkMenu(check, path, element);
    checkInitial(check, path, element);
  },
};

const CONVERSATIONS: ElementRule = {
  places: BOTH,
  keys: ['placeholder', 'focus_on_load', 'default_to_current_conversation', 'response_url_enabled'],
  check(check, path, element) {
    checkFlag(check, `${path}/response_url_enabled`, element.response_url_enabled);
    if (element.response_url_enabled === true && check.surface !== 'modal') {
      fail(check, path, 'response_url_enabled is for modals only');
    }
  },
};

const USERS: ElementRule = {
  places: BOTH,
  keys: ['placeholder', 'focus_on_load', 'initial_user'],
  check: (check, path, element) =>
    checkOptionalString(check, `${path}/initial_user`, element.initial_user, 255),
};

const RADIO_BUTTONS: ElementRule = {
  places: BOTH,
  keys: ['focus_on_load', 'options', 'initial_option'],
  check(check, path, element) {
    checkOptions(check, `${path}/options`, element.options, { max: 10, markup: true });
    checkInitial(check, path, element);
  },
};

const OVERFLOW: ElementRule = {
  places: ['actions'],
  keys: ['options'],
  check: (check, path, element) => checkOptions(check, `${path}/options`, element.options, { max: 5 }),
};

const ELEMENTS: Readonly<Record<string, ElementRule>> = {
  button: BUTTON,
  overflow: OVERFLOW,
  static_select: MENU,
  conversations_select: CONVERSATIONS,
  users_select: USERS,
  radio_buttons: RADIO_BUTTONS,
  plain_text_input: TEXT,
  datepicker: DATEPICKER,
};

/** Checks one interactive element inside a block; the emulator refuses those that the bot does not use. */
export function checkElement(check: Check, path: string, value: unknown, place: Place): void {
  if (!isRecord(value)) {
    fail(check, path, 'must be a block element');
    return;
  }
  const rule = typeof value.type === 'string' ? ELEMENTS[value.type] : undefined;
  if (!rule) {
    fail(check, path, `unsupported type: ${JSON.stringify(value.type)}`);
    return;
  }
  if (!rule.places.includes(place)) {
    fail(check, path, `unsupported element: ${value.type} cannot be in a block of type ${place}`);
    return;
  }
  checkKeys(check, path, value, ['type', 'action_id', ...rule.keys]);
  checkOptionalString(check, `${path}/action_id`, value.action_id, 255);
  checkOptionalPlain(check, `${path}/placeholder`, value.placeholder, 150);
  checkFlag(check, `${path}/focus_on_load`, value.focus_on_load);
  rule.check(check, path, value);
}
