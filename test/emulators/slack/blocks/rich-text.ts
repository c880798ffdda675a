import { isRecord, type Json } from '../json.ts';
import { type Check, checkFlag, checkKeys, checkList, checkString, checkUrl, fail } from './check.ts';

type Inline = (check: Check, path: string, element: Json) => void;

const STYLES = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'];
const LONGEST = 40_000;
const ANY_NUMBER = Number.POSITIVE_INFINITY;

function named(field: string): Inline {
  return (check, path, element) => checkString(check, `${path}/${field}`, element[field], 255);
}

const INLINES: Readonly<Record<string, { keys: readonly string[]; check: Inline }>> = {
  text: { keys: ['text'], check: (check, path, it) => checkString(check, `${path}/text`, it.text, LONGEST) },
  link: {
    keys: ['url', 'text'],
    check(check, path, it) {
      checkUrl(check, `${path}/url`, it.url);
      if (it.text !== undefined) checkString(check, `${path}/text`, it.text, LONGEST);
    },
  },
  user: { keys: ['user_id'], check: named('user_id') },
  channel: { keys: ['channel_id'], check: named('channel_id') },
  date: {
    keys: ['timestamp', 'format', 'fallback'],
    check(check, path, it) {
      if (!Number.isInteger(it.timestamp)) fail(check, `${path}/timestamp`, 'must be an integer');
      checkString(check, `${path}/format`, it.format, 255);
    },
  },
};

/** What the paragraphs that the bot sends may hold; all other paragraphs are refused. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  rich_text_section: Object.keys(INLINES),
  rich_text_preformatted: ['text', 'link'],
};

function checkStyle(check: Check, path: string, style: unknown): void {
  if (style === undefined) return;
  if (!isRecord(style)) {
    fail(check, path, 'must be an object');
    return;
  }
  checkKeys(check, path, style, STYLES);
  for (const [key, value] of Object.entries(style)) checkFlag(check, `${path}/${key}`, value);
}

function checkInlines(check: Check, path: string, value: unknown, allowed: readonly string[]): void {
  for (const { item, path: at } of checkList(check, path, value, ANY_NUMBER, 0)) {
    const type = String(item.type);
    const rule = allowed.includes(type) ? INLINES[type] : undefined;
    if (!rule) {
      fail(check, at, `unsupported type: ${JSON.stringify(item.type)}`);
      continue;
    }
    checkKeys(check, at, item, ['type', 'style', ...rule.keys]);
    checkStyle(check, `${at}/style`, item.style);
    rule.check(check, at, item);
  }
}

/** Checks the parts of a rich_text block. */
export function checkRichText(check: Check, path: string, block: Json): void {
  for (const { item, path: at } of checkList(check, `${path}/elements`, block.elements, ANY_NUMBER)) {
    const allowed = PARTS[String(item.type)];
    if (allowed === undefined) {
      fail(check, at, `unsupported type: ${JSON.stringify(item.type)}`);
      continue;
    }
    checkKeys(check, at, item, ['type', 'elements']);
    checkInlines(check, `${at}/elements`, item.elements, allowed);
  }
}
