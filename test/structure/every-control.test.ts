import { expect, test } from 'vitest';
import { MENU_ACTION, OTHERS } from '../../src/slack/answer/view-message.ts';
import { isRecord, type Json } from '../emulators/slack/json.ts';
import { everyHome } from '../support/every-destination.ts';
import { everyMessage, everyModal } from '../support/every-message.ts';
import { MENU } from '../support/feature-parts.ts';
import { heard } from '../support/heard.ts';
import { objectsIn } from '../support/message-parts.ts';

function isHeard(id: string, by: readonly (string | RegExp)[]): boolean {
  return by.some((each) => (typeof each === 'string' ? each === id : each.test(id)));
}

/** Slack sends what happens to a control at once, unless it is a field of a form that is submitted. */
function controlsIn(blocks: readonly object[]): string[] {
  const sent = blocks
    .filter(isRecord)
    .filter(({ type, dispatch_action }) => type !== 'input' || dispatch_action);
  return objectsIn(sent satisfies Json[]).flatMap(({ action_id }) =>
    typeof action_id === 'string' ? action_id : [],
  );
}

const MESSAGES = Object.values(everyMessage()).map((make) => make());
const MODALS = Object.values(everyModal()).map((make) => make());
const HOMES = Object.values(everyHome()).map((make) => make());
const { actions, views } = heard();

test('Every control that a person can see has a listener', () => {
  const shown = [...new Set([...MESSAGES, ...MODALS, ...HOMES].flatMap(({ blocks }) => controlsIn(blocks)))];
  expect(shown.length).toBeGreaterThan(30);
  expect(shown.filter((id) => !isHeard(id, actions))).toEqual([]);
});

test('Every modal with a button to submit it has a listener', () => {
  const submitted = MODALS.flatMap(({ submit, callback_id: id = '' }) => (submit === undefined ? [] : id));
  expect(new Set(submitted).size).toBeGreaterThan(4);
  expect(submitted.filter((id) => !isHeard(id, views))).toEqual([]);
});

test('Every entry of a menu that a person can see has a feature that does it', () => {
  const shown = MESSAGES.flatMap(({ blocks }) => objectsIn(blocks.filter(isRecord)))
    .filter(({ action_id }) => action_id === MENU_ACTION)
    .flatMap(({ options }) => (Array.isArray(options) ? options.map(({ value }) => String(value)) : []));
  const done = [...MENU.map(({ value }) => value), OTHERS];
  expect(new Set(shown).size).toBeGreaterThan(4);
  expect([...new Set(shown)].filter((value) => !done.includes(value))).toEqual([]);
});
