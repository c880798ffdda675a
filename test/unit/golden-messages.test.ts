import { describe, expect, test } from 'vitest';
import { blockFaults } from '../emulators/slack/blocks/faults.ts';
import type { Json } from '../emulators/slack/json.ts';
import { isRecord, record, string } from '../emulators/slack/json.ts';
import { renderText } from '../emulators/slack/text.ts';
import { viewFaults } from '../emulators/slack/view-checks.ts';
import { everyHome } from '../support/every-destination.ts';
import { everyMessage, everyModal } from '../support/every-message.ts';
import { expectGolden, goldenNames } from '../support/golden.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';

/** `Details · evidence`, which a phone still shows whole. */
const LONGEST_ON_A_PHONE = 22;
const WIDEST_IN_A_MENU = 45;

const NAMES = new Map([
  ['U0ANA', 'ana'],
  ['U0BEN', 'ben'],
  ['U0SNAPSHOT', 'Snapshot'],
]);

/** As a terminal shows it, so that a change can be read as a person reads the message. */
function shown(blocks: readonly object[]): string[] {
  const message = { channel: 'C0SUPPORT', ts: '1', user: 'U0SNAPSHOT', text: '', at: 0, history: [] };
  return renderText({ ...message, blocks: blocks.filter(isRecord) satisfies Json[] }, NAMES).split('\n');
}

// Made within the tests, so that a bug in a message is blamed on the tests of that message.
const MESSAGES = Object.entries(everyMessage());
const MODALS = Object.entries(everyModal());
const HOMES = Object.entries(everyHome());

describe('every message that a person can see', () => {
  test.each(MESSAGES)('%s is as it was, and Slack takes it', (name, make) => {
    const message = make();
    expect(blockFaults(message.blocks, 'message')).toEqual([]);
    expect(Buffer.byteLength(message.text)).toBeLessThanOrEqual(4_000);
    expectGolden(name, { shown: shown(message.blocks), message });
  });

  test.each(MODALS)('%s is as it was, and Slack takes it', (name, make) => {
    const view = make();
    expect(viewFaults(view, 'modal')).toEqual([]);
    expectGolden(name, { shown: shown(view.blocks), view });
  });

  test.each(HOMES)('%s is as it was, and Slack takes it', (name, make) => {
    const view = make();
    expect(viewFaults(view, 'home')).toEqual([]);
    expectGolden(name, { shown: shown(view.blocks), view });
  });

  test.each(MESSAGES)('%s has a text that stands by itself', (_name, make) => {
    const { text } = make();
    expect(text).toMatch(/snapshot/i);
    expect(text).toMatch(/\p{Lu}.{20,}/u);
  });

  test.each(MESSAGES)(
    '%s has buttons and menus whose labels phones show whole, and which differ when read aloud',
    (_name, make) => {
      const { blocks } = make();
      const elements = objectsIn(blocks.filter(({ type }) => type === 'actions'));
      const buttons = elements.filter(({ type }) => type === 'button');
      const choices = elements.filter(({ value, type }) => type === undefined && value !== undefined);
      const labelsOf = (objects: readonly Json[]) => objects.map(({ text }) => string(record(text).text));
      expect(labelsOf(buttons).filter((label) => label.length > LONGEST_ON_A_PHONE)).toEqual([]);
      expect(labelsOf(choices).filter((label) => label.length > WIDEST_IN_A_MENU)).toEqual([]);
      const spoken = buttons.map((each, index) => `${labelsOf(buttons)[index]} ${each.accessibility_label}`);
      for (const said of [spoken, labelsOf(choices)]) expect(new Set(said).size).toBe(said.length);
    },
  );

  // In the format of its date it begins with a small letter: https://docs.slack.dev/messaging/formatting-message-text
  test.each([...MESSAGES, ...HOMES])(
    '%s begins no day with a capital letter behind other words',
    (_name, make) => {
      for (const text of textsOf(make().blocks, 'mrkdwn'))
        expect(text).not.toMatch(/\p{Ll} <!date\^\d+\^\{date/u);
    },
  );

  // Who speaks to the device says what is to be seen (https://www.w3.org/WAI/WCAG22/Understanding/label-in-name).
  test.each([...MESSAGES, ...MODALS])('%s has buttons that are called what they show', (_name, make) => {
    const letters = (text: unknown) =>
      string(text)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    for (const { text, accessibility_label: spoken = '' } of objectsIn(make().blocks)) {
      if (spoken !== '') expect(letters(spoken)).toMatch(new RegExp(`^${letters(record(text).text)}`));
    }
  });

  // https://docs.slack.dev/reference/block-kit/composition-objects/option-object
  test.each(MESSAGES)('%s has menus whose choices each have a value of their own', (_name, make) => {
    const menus = objectsIn(make().blocks).filter(
      ({ type }) => type === 'static_select' || type === 'overflow',
    );
    for (const menu of menus) {
      const values = objectsIn(menu).flatMap(({ value }) => value ?? []);
      expect(values).toEqual([...new Set(values)]);
    }
  });

  test('there is no other golden file', () => {
    const messages = [...MESSAGES, ...MODALS, ...HOMES].map(([name]) => name);
    expect(goldenNames()).toEqual([...messages, 'kept-result'].sort());
  });
});

test('where a redirect leads to is text from elsewhere: it can neither page nor format', () => {
  const { text, blocks } = everyMessage()['fault-unexpected-answer']?.() ?? { text: '', blocks: [] };
  for (const each of [text, ...textsOf(blocks, 'mrkdwn')]) expect(each).not.toMatch(/<!here>|\*elsewhere\*/);
  expect(text).toContain('∗elsewhere∗.example&lt;!here&gt;');
});
