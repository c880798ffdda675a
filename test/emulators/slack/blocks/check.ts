import { isRecord, type Json } from '../json.ts';

/** Where blocks are shown: each surface allows other blocks and numbers. */
export type Surface = 'message' | 'modal' | 'home';

/** One reason why Slack would refuse blocks. */
export interface BlockFault {
  readonly path: string;
  readonly problem: string;
}

/** The state of a check of blocks: its surface and the faults found so far. */
export interface Check {
  readonly surface: Surface;
  readonly faults: BlockFault[];
}

const WEB_URL = /^https?:\/\/[^\s]+$/i;

/** Notes one reason for refusal. */
export function fail(check: Check, path: string, problem: string): void {
  check.faults.push({ path, problem });
}

/** Checks a string that must be there, not empty and at most `max` characters long. */
export function checkString(check: Check, path: string, value: unknown, max: number, min = 1): void {
  if (typeof value !== 'string') {
    fail(check, path, 'must be a string');
    return;
  }
  if (value.length < min) fail(check, path, `must be more than ${min - 1} characters`);
  if (value.length > max) fail(check, path, `must be less than ${max + 1} characters, has ${value.length}`);
}

/** Like `checkString`, for a field that may be absent. */
export function checkOptionalString(check: Check, path: string, value: unknown, max: number, min = 1): void {
  if (value !== undefined) checkString(check, path, value, max, min);
}

/** Checks a web address: http or https, at most 3,000 characters. */
export function checkUrl(check: Check, path: string, value: unknown): void {
  checkString(check, path, value, 3000);
  if (typeof value === 'string' && !WEB_URL.test(value)) fail(check, path, 'must be an http or https URL');
}

/** Checks a field that may be absent, and otherwise has to be a boolean. */
export function checkFlag(check: Check, path: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') fail(check, path, 'must be a boolean');
}

/** Checks a field that may be absent, and otherwise has to be one of a few words. */
export function checkWord(check: Check, path: string, value: unknown, words: readonly string[]): void {
  if (value !== undefined && !words.some((word) => word === value)) {
    fail(check, path, `must be one of ${words.join(', ')}`);
  }
}

/** Checks a list's length and that it holds objects; gives the objects with their paths. */
export function checkList(
  check: Check,
  path: string,
  value: unknown,
  max: number,
  min = 1,
): { readonly item: Json; readonly path: string }[] {
  if (!Array.isArray(value)) {
    fail(check, path, 'must be an array');
    return [];
  }
  if (value.length < min) fail(check, path, `must have at least ${min} items`);
  if (value.length > max) fail(check, path, `no more than ${max} items allowed, has ${value.length}`);
  const found: { item: Json; path: string }[] = [];
  for (const [index, item] of value.entries()) {
    if (isRecord(item)) found.push({ item, path: `${path}/${index}` });
    else fail(check, `${path}/${index}`, 'must be an object');
  }
  return found;
}

/** Refuses fields that Slack does not know in this object. */
export function checkKeys(check: Check, path: string, value: Json, allowed: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (value[key] !== undefined && !allowed.includes(key)) {
      fail(check, path, `invalid additional property: ${key}`);
    }
  }
}
