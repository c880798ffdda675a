import { isRecord } from '../json.ts';
import { type Check, checkFlag, checkKeys, checkString, fail } from './check.ts';

/** The two kinds of text object. */
type TextKind = 'plain_text' | 'mrkdwn';

const KEYS: Readonly<Record<TextKind, readonly string[]>> = {
  plain_text: ['type', 'text', 'emoji'],
  mrkdwn: ['type', 'text', 'verbatim'],
};

function isTextKind(value: unknown): value is TextKind {
  return value === 'plain_text' || value === 'mrkdwn';
}

/** Checks a text object of one of the given kinds. */
export function checkText(
  check: Check,
  path: string,
  value: unknown,
  max: number,
  kinds: readonly TextKind[] = ['plain_text', 'mrkdwn'],
): void {
  if (!isRecord(value)) {
    fail(check, path, 'must be a text object');
    return;
  }
  if (!isTextKind(value.type) || !kinds.includes(value.type)) {
    fail(check, `${path}/type`, `must be ${kinds.join(' or ')}, is ${JSON.stringify(value.type)}`);
    return;
  }
  checkKeys(check, path, value, KEYS[value.type]);
  checkString(check, `${path}/text`, value.text, max);
  checkFlag(check, `${path}/emoji`, value.emoji);
  checkFlag(check, `${path}/verbatim`, value.verbatim);
}

/** Checks a plain text object. */
export function checkPlain(check: Check, path: string, value: unknown, max: number): void {
  checkText(check, path, value, max, ['plain_text']);
}

/** Checks a plain text object that may be absent. */
export function checkOptionalPlain(check: Check, path: string, value: unknown, max: number): void {
  if (value !== undefined) checkPlain(check, path, value, max);
}
