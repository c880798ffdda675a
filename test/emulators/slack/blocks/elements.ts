import { isRecord, type Json } from '../json.ts';
import {
  type Check,
  checkFlag,
  checkKeys,
  checkOptionalString,
  checkString,
  checkUrl,
  checkWord,
  fail,
} from './check.ts';
import { INPUTS } from './inputs.ts';
import { SELECTS } from './selects.ts';
import { checkConfirm, checkOptionalPlain, checkPlain } from './texts.ts';

/** The blocks that can hold an element. */
export type Place = 'actions' | 'section' | 'input' | 'context';

/** The rules of one type of element. */
export interface ElementRule {
  readonly places: readonly Place[];
  readonly keys: readonly string[];
  check(check: Check, path: string, element: Json): void;
}

const PLAIN_COMMON = ['type', 'action_id', 'confirm'];

const BUTTON: ElementRule = {
  places: ['actions', 'section'],
  keys: [...PLAIN_COMMON, 'text', 'url', 'value', 'style', 'accessibility_label'],
  check(check, path, element) {
    checkPlain(check, `${path}/text`, element.text, 75);
    checkOptionalString(check, `${path}/value`, element.value, 2000);
    checkOptionalString(check, `${path}/accessibility_label`, element.accessibility_label, 75);
    checkWord(check, `${path}/style`, element.style, ['primary', 'danger']);
    if (element.url !== undefined) checkUrl(check, `${path}/url`, element.url);
  },
};

const IMAGE: ElementRule = {
  places: ['section', 'context'],
  keys: ['type', 'image_url', 'slack_file', 'alt_text'],
  check(check, path, element) {
    checkImageSource(check, path, element);
    checkString(check, `${path}/alt_text`, element.alt_text, 2000);
  },
};

const ELEMENTS: Readonly<Record<string, ElementRule>> = {
  button: BUTTON,
  image: IMAGE,
  ...SELECTS,
  ...INPUTS,
};

/** Checks that an image names exactly one source. */
export function checkImageSource(check: Check, path: string, image: Json): void {
  if ((image.image_url === undefined) === (image.slack_file === undefined)) {
    fail(check, path, 'must have either image_url or slack_file');
  }
  if (image.image_url !== undefined) checkUrl(check, `${path}/image_url`, image.image_url);
}

/** Checks one interactive element or image inside a block. */
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
  checkKeys(check, path, value, rule.keys);
  checkOptionalString(check, `${path}/action_id`, value.action_id, 255);
  checkConfirm(check, `${path}/confirm`, value.confirm);
  checkOptionalPlain(check, `${path}/placeholder`, value.placeholder, 150);
  checkFlag(check, `${path}/focus_on_load`, value.focus_on_load);
  rule.check(check, path, value);
}
