import { isRecord, type Json } from '../json.ts';
import {
  type Check,
  checkFlag,
  checkKeys,
  checkList,
  checkString,
  checkUrl,
  checkWord,
  fail,
} from './check.ts';

type Inline = (check: Check, path: string, element: Json) => void;

const STYLES = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'];
const COLOR = /^#[0-9a-f]{6}$/i;
const LONGEST = 40_000;

function named(field: string): Inline {
  return (check, path, element) => checkString(check, `${path}/${field}`, element[field], 255);
}

const INLINES: Readonly<Record<string, { keys: readonly string[]; check: Inline }>> = {
  text: { keys: ['text'], check: (check, path, it) => checkString(check, `${path}/text`, it.text, LONGEST) },
  link: {
    keys: ['url', 'text', 'unsafe'],
    check(check, path, it) {
      checkUrl(check, `${path}/url`, it.url);
      if (it.text !== undefined) checkString(check, `${path}/text`, it.text, LONGEST);
    },
  },
  user: { keys: ['user_id'], check: named('user_id') },
  usergroup: { keys: ['usergroup_id'], check: named('usergroup_id') },
  channel: { keys: ['channel_id'], check: named('channel_id') },
  team: { keys: ['team_id'], check: named('team_id') },
  emoji: { keys: ['name', 'unicode', 'url', 'skin_tone'], check: named('name') },
  broadcast: {
    keys: ['range'],
    check(check, path, it) {
      if (it.range === undefined) fail(check, `${path}/range`, 'is missing');
      checkWord(check, `${path}/range`, it.range, ['here', 'channel', 'everyone']);
    },
  },
  color: {
    keys: ['value'],
    check(check, path, it) {
      if (typeof it.value !== 'string' || !COLOR.test(it.value))
        fail(check, `${path}/value`, 'must be #rrggbb');
    },
  },
  date: {
    keys: ['timestamp', 'format', 'url', 'fallback'],
    check(check, path, it) {
      if (!Number.isInteger(it.timestamp)) fail(check, `${path}/timestamp`, 'must be an integer');
      checkString(check, `${path}/format`, it.format, 255);
    },
  },
};

const PREFORMATTED = ['text', 'link'];

function checkStyle(check: Check, path: string, style: unknown): void {
  if (style === undefined) return;
  if (!isRecord(style)) {
    fail(check, path, 'must be an object');
    return;
  }
  checkKeys(check, path, style, STYLES);
  for (const [key, value] of Object.entries(style)) checkFlag(check, `${path}/${key}`, value);
}

function checkInlines(check: Check, path: string, value: unknown, only?: readonly string[]): void {
  for (const { item, path: at } of checkList(check, path, value, Number.POSITIVE_INFINITY, 0)) {
    const type = String(item.type);
    const rule = only && !only.includes(type) ? undefined : INLINES[type];
    if (!rule) {
      fail(check, at, `unsupported type: ${JSON.stringify(item.type)}`);
      continue;
    }
    checkKeys(check, at, item, ['type', 'style', ...rule.keys]);
    checkStyle(check, `${at}/style`, item.style);
    rule.check(check, at, item);
  }
}

function checkNumbers(check: Check, path: string, item: Json): void {
  for (const key of ['indent', 'offset', 'border']) {
    const value = item[key];
    if (value !== undefined && (!Number.isInteger(value) || Number(value) < 0)) {
      fail(check, `${path}/${key}`, 'must be an integer of at least 0');
    }
  }
}

function checkBulletList(check: Check, path: string, item: Json): void {
  checkKeys(check, path, item, ['type', 'style', 'indent', 'offset', 'border', 'elements']);
  if (item.style === undefined) fail(check, `${path}/style`, 'is missing');
  checkWord(check, `${path}/style`, item.style, ['bullet', 'ordered']);
  for (const entry of checkList(check, `${path}/elements`, item.elements, Number.POSITIVE_INFINITY)) {
    if (entry.item.type !== 'rich_text_section') fail(check, entry.path, 'must be a rich_text_section');
    else checkInlines(check, `${entry.path}/elements`, entry.item.elements);
  }
}

function checkPart(check: Check, path: string, item: Json): void {
  checkNumbers(check, path, item);
  switch (item.type) {
    case 'rich_text_section':
      checkKeys(check, path, item, ['type', 'elements']);
      checkInlines(check, `${path}/elements`, item.elements);
      return;
    case 'rich_text_quote':
      checkKeys(check, path, item, ['type', 'elements', 'border']);
      checkInlines(check, `${path}/elements`, item.elements);
      return;
    case 'rich_text_preformatted':
      checkKeys(check, path, item, ['type', 'elements', 'border', 'language']);
      checkInlines(check, `${path}/elements`, item.elements, PREFORMATTED);
      return;
    case 'rich_text_list':
      checkBulletList(check, path, item);
      return;
    default:
      fail(check, path, `unsupported type: ${JSON.stringify(item.type)}`);
  }
}

/** Checks the parts of a rich_text block. */
export function checkRichText(check: Check, path: string, block: Json): void {
  for (const { item, path: at } of checkList(
    check,
    `${path}/elements`,
    block.elements,
    Number.POSITIVE_INFINITY,
  )) {
    checkPart(check, at, item);
  }
}
