import type fc from 'fast-check';
import { isFault } from '../../src/core/faults.ts';
import { redactionOf } from '../../src/ops/logging.ts';
import { readDocument } from '../../src/service/document.ts';
import * as values from '../../src/slack/blocks/action-values.ts';
import { UnreadableValue } from '../../src/slack/blocks/action-values.ts';
import { readText } from '../../src/slack/commands/ids.ts';
import {
  parseCommand,
  parseMention,
  parseSpoken,
  textOfMessage,
} from '../../src/slack/commands/parse-command.ts';
import { readDelivery } from '../../src/slack/front/delivery.ts';
import { COMMANDS, DELIVERIES, DOCUMENTS, VALUES } from './corpus.ts';
import { mutated } from './mutated.ts';

/** A reader of input from outside. `check` throws if the reader handles an input wrongly. */
export type Target = { readonly input: fc.Arbitrary<string>; readonly check: (input: string) => void };

const ID = /^\d{1,20}$/;
const RESERVED = ['__proto__', 'polluted'];

/** Runs `work`. Throws for an unexpected error, and for a change of the prototype of all objects. */
function onlyThrows(isExpected: (error: unknown) => boolean, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
  if (RESERVED.some((name) => Object.hasOwn(Object.prototype, name) && name !== '__proto__')) {
    throw new Error('the prototype of all objects was changed');
  }
}

function insist(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

function readsDocument(text: string): void {
  onlyThrows(isFault, () => {
    for (const { name, output, solutions } of readDocument(text).diagnostics) {
      insist(
        typeof name === 'string' && output.every((block) => typeof block === 'string'),
        'a text is none',
      );
      insist(
        solutions.every(({ url }) => typeof url === 'string'),
        'a solution without an address',
      );
    }
  });
}

function parses(text: string): void {
  for (const parsed of [parseCommand(text, []), parseSpoken(text, []), parseMention(text, 'U0BOT', [])]) {
    if (parsed.kind === 'lookup') insist(ID.test(parsed.question.snapshotId), 'an id that is none');
    else if (parsed.kind === 'usage') insist((parsed.problem ?? '').length < 3_000, 'an endless problem');
  }
}

function findsIds(text: string): void {
  const message = { text, attachments: [{ fallback: text }], files: [{ name: text, title: text }] };
  const { ids } = readText(textOfMessage(message), []);
  insist(
    ids.every((id) => ID.test(id)),
    'ids that are none',
  );
}

function readsDelivery(text: string): void {
  const isExpected = (error: unknown) =>
    error instanceof SyntaxError || (error instanceof Error && error.constructor.name === 'NotADelivery');
  onlyThrows(isExpected, () => {
    const body = JSON.parse(text);
    const { actor } = readDelivery(body);
    if (actor !== undefined)
      insist(
        actor.channels.every((id) => typeof id === 'string'),
        'a channel that is none',
      );
    textOfMessage(body);
  });
}

const READERS = [values.readView, values.readState, values.readHitKey];

function readsValues(text: string): void {
  const isExpected = (error: unknown) => error instanceof UnreadableValue;
  for (const read of READERS) onlyThrows(isExpected, () => read(text));
}

const SECRET = 'p"a,ss\\wörd 1';
const redacted = redactionOf([SECRET]);

function hidesSecrets(text: string): void {
  const line = JSON.stringify({
    msg: text,
    inner: JSON.stringify({ response_url: `https://hooks.slack.com/${SECRET}` }),
    SECRET,
  });
  const hidden = redacted(line);
  insist(!hidden.includes(JSON.stringify(SECRET).slice(1, -1)), 'a secret is seen');
  JSON.parse(hidden);
}

export const TARGETS: Readonly<Record<string, Target>> = {
  'documents of the service': { input: mutated(DOCUMENTS), check: readsDocument },
  'commands and mentions': { input: mutated(COMMANDS), check: parses },
  'ids in text': { input: mutated([...COMMANDS, ...DELIVERIES]), check: findsIds },
  'deliveries of Slack': { input: mutated(DELIVERIES), check: readsDelivery },
  'values of buttons and modals': { input: mutated(VALUES), check: readsValues },
  'lines of the log': { input: mutated([...DELIVERIES, ...COMMANDS]), check: hidesSecrets },
};
