import type { Json } from '../json.ts';
import { type Check, checkFlag, fail } from './check.ts';
import type { ElementRule, Place } from './elements.ts';
import { checkInitial, checkMenu, checkOptions } from './options.ts';

const COMMON = ['type', 'action_id', 'confirm', 'placeholder', 'focus_on_load'];
const EVERYWHERE: readonly Place[] = ['actions', 'section', 'input'];

function checkMaximum(check: Check, path: string, element: Json): void {
  const most = element.max_selected_items;
  if (most !== undefined && (!Number.isInteger(most) || Number(most) < 1)) {
    fail(check, `${path}/max_selected_items`, 'must be an integer of at least 1');
  }
}

function menu(...extra: string[]): ElementRule {
  return {
    places: EVERYWHERE,
    keys: [...COMMON, 'options', 'option_groups', ...extra],
    check(check, path, element) {
      checkMenu(check, path, element);
      checkInitial(check, path, element);
      checkMaximum(check, path, element);
    },
  };
}

function listed(...extra: string[]): ElementRule {
  return {
    places: EVERYWHERE,
    keys: [...COMMON, ...extra],
    check(check, path, element) {
      checkMaximum(check, path, element);
      checkFlag(check, `${path}/response_url_enabled`, element.response_url_enabled);
      if (element.response_url_enabled === true && check.surface !== 'modal') {
        fail(check, path, 'response_url_enabled is for modals only');
      }
    },
  };
}

function choice(...extra: string[]): ElementRule {
  return {
    places: EVERYWHERE,
    keys: ['type', 'action_id', 'confirm', 'focus_on_load', 'options', ...extra],
    check(check, path, element) {
      checkOptions(check, `${path}/options`, element.options, { max: 10, markup: true });
      checkInitial(check, path, element);
    },
  };
}

const OVERFLOW: ElementRule = {
  places: ['actions', 'section'],
  keys: ['type', 'action_id', 'confirm', 'options'],
  check(check, path, element) {
    checkOptions(check, `${path}/options`, element.options, { max: 5, links: true });
  },
};

/** The rules of every element that lets a person choose. */
export const SELECTS: Readonly<Record<string, ElementRule>> = {
  overflow: OVERFLOW,
  static_select: menu('initial_option'),
  multi_static_select: menu('initial_options', 'max_selected_items'),
  external_select: listed('initial_option', 'min_query_length'),
  multi_external_select: listed('initial_options', 'min_query_length', 'max_selected_items'),
  users_select: listed('initial_user'),
  multi_users_select: listed('initial_users', 'max_selected_items'),
  channels_select: listed('initial_channel', 'response_url_enabled'),
  multi_channels_select: listed('initial_channels', 'max_selected_items'),
  conversations_select: listed(
    'initial_conversation',
    'default_to_current_conversation',
    'filter',
    'response_url_enabled',
  ),
  multi_conversations_select: listed(
    'initial_conversations',
    'default_to_current_conversation',
    'filter',
    'max_selected_items',
  ),
  checkboxes: choice('initial_options'),
  radio_buttons: choice('initial_option'),
};
