import type { Json } from '../json.ts';
import { type Check, checkFlag, checkOptionalString, fail } from './check.ts';
import type { ElementRule, Place } from './elements.ts';

const COMMON = ['type', 'action_id', 'placeholder', 'focus_on_load'];
const PICKER: readonly Place[] = ['actions', 'section', 'input'];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}$/;

function checkNumber(check: Check, path: string, value: unknown, low: number, high: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || Number(value) < low || Number(value) > high) {
    fail(check, path, `must be an integer from ${low} to ${high}`);
  }
}

function checkPattern(check: Check, path: string, value: unknown, pattern: RegExp): void {
  if (value !== undefined && !(typeof value === 'string' && pattern.test(value))) {
    fail(check, path, `must match ${pattern.source}`);
  }
}

const TEXT: ElementRule = {
  places: ['input'],
  keys: [...COMMON, 'initial_value', 'multiline', 'min_length', 'max_length', 'dispatch_action_config'],
  check(check, path, element) {
    checkOptionalString(check, `${path}/initial_value`, element.initial_value, 3000, 0);
    checkNumber(check, `${path}/min_length`, element.min_length, 0, 3000);
    checkNumber(check, `${path}/max_length`, element.max_length, 1, 3000);
    checkFlag(check, `${path}/multiline`, element.multiline);
  },
};

const NUMBER: ElementRule = {
  places: ['input'],
  keys: [
    ...COMMON,
    'is_decimal_allowed',
    'initial_value',
    'min_value',
    'max_value',
    'dispatch_action_config',
  ],
  check(check, path, element) {
    if (typeof element.is_decimal_allowed !== 'boolean') {
      fail(check, `${path}/is_decimal_allowed`, 'must be a boolean');
    }
  },
};

function line(): ElementRule {
  return {
    places: ['input'],
    keys: [...COMMON, 'initial_value', 'dispatch_action_config'],
    check(check, path, element) {
      checkOptionalString(check, `${path}/initial_value`, element.initial_value, 3000, 0);
    },
  };
}

function picker(field: string, pattern: RegExp, ...extra: string[]): ElementRule {
  return {
    places: PICKER,
    keys: [...COMMON, 'confirm', field, ...extra],
    check(check: Check, path: string, element: Json) {
      checkPattern(check, `${path}/${field}`, element[field], pattern);
    },
  };
}

/** The rules of every element that takes text, numbers, dates or times. */
export const INPUTS: Readonly<Record<string, ElementRule>> = {
  plain_text_input: TEXT,
  number_input: NUMBER,
  email_text_input: line(),
  url_text_input: line(),
  datepicker: picker('initial_date', DATE),
  timepicker: picker('initial_time', TIME, 'timezone'),
};
