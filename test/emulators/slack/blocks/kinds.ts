import { type Json, record } from '../json.ts';
import { type Check, checkFlag, checkList, checkString, checkWord, fail, type Surface } from './check.ts';
import { checkElement, checkImageSource } from './elements.ts';
import { checkRichText } from './rich-text.ts';
import { checkOptionalPlain, checkPlain, checkText } from './texts.ts';

/** The rules of one type of block. */
interface BlockRule {
  readonly surfaces: readonly Surface[];
  readonly keys: readonly string[];
  check(check: Check, path: string, block: Json): void;
}

const ALL: readonly Surface[] = ['message', 'modal', 'home'];

function checkSection(check: Check, path: string, block: Json): void {
  if (block.text === undefined && block.fields === undefined) {
    fail(check, path, 'a section must have text or fields');
  }
  if (block.text !== undefined) checkText(check, `${path}/text`, block.text, 3000);
  if (block.fields !== undefined) {
    for (const field of checkList(check, `${path}/fields`, block.fields, 10)) {
      checkText(check, field.path, field.item, 2000);
    }
  }
  if (block.accessory !== undefined) checkElement(check, `${path}/accessory`, block.accessory, 'section');
  checkFlag(check, `${path}/expand`, block.expand);
}

function checkContext(check: Check, path: string, block: Json): void {
  for (const { item, path: at } of checkList(check, `${path}/elements`, block.elements, 10)) {
    if (item.type === 'image') checkElement(check, at, item, 'context');
    else checkText(check, at, item, 3000);
  }
}

function checkActions(check: Check, path: string, block: Json): void {
  const seen = new Set<string>();
  for (const { item, path: at } of checkList(check, `${path}/elements`, block.elements, 25)) {
    checkElement(check, at, item, 'actions');
    if (typeof item.action_id !== 'string') continue;
    if (seen.has(item.action_id))
      fail(check, at, `action_id "${item.action_id}" already exists in this block`);
    seen.add(item.action_id);
  }
}

function checkInput(check: Check, path: string, block: Json): void {
  checkPlain(check, `${path}/label`, block.label, 2000);
  checkOptionalPlain(check, `${path}/hint`, block.hint, 2000);
  checkFlag(check, `${path}/optional`, block.optional);
  checkFlag(check, `${path}/dispatch_action`, block.dispatch_action);
  checkElement(check, `${path}/element`, block.element, 'input');
}

function checkImage(check: Check, path: string, block: Json): void {
  checkImageSource(check, path, block);
  checkString(check, `${path}/alt_text`, block.alt_text, 2000);
  checkOptionalPlain(check, `${path}/title`, block.title, 2000);
}

function checkAlert(check: Check, path: string, block: Json): void {
  checkText(check, `${path}/text`, block.text, 3000);
  checkWord(check, `${path}/level`, block.level, ['default', 'info', 'warning', 'error', 'success']);
}

function checkTable(check: Check, path: string, block: Json): void {
  const rows = Array.isArray(block.rows) ? block.rows : [];
  if (rows.length < 1 || rows.length > 100) fail(check, `${path}/rows`, 'must have 1 to 100 rows');
  for (const [index, row] of rows.entries()) {
    for (const { item, path: at } of checkList(check, `${path}/rows/${index}`, row, 20)) {
      checkWord(check, `${at}/type`, record(item).type, ['rich_text', 'raw_text', 'raw_number']);
    }
  }
}

/** The types of block whose rules the emulator knows completely; it refuses all others. */
export const BLOCKS: Readonly<Record<string, BlockRule>> = {
  header: {
    surfaces: ALL,
    keys: ['text'],
    check: (check, path, block) => checkPlain(check, `${path}/text`, block.text, 150),
  },
  section: { surfaces: ALL, keys: ['text', 'fields', 'accessory', 'expand'], check: checkSection },
  context: { surfaces: ALL, keys: ['elements'], check: checkContext },
  divider: { surfaces: ALL, keys: [], check: () => undefined },
  actions: { surfaces: ALL, keys: ['elements'], check: checkActions },
  rich_text: { surfaces: ALL, keys: ['elements'], check: checkRichText },
  input: {
    surfaces: ALL,
    keys: ['label', 'hint', 'optional', 'dispatch_action', 'element'],
    check: checkInput,
  },
  image: { surfaces: ALL, keys: ['image_url', 'slack_file', 'alt_text', 'title'], check: checkImage },
  alert: { surfaces: ['modal'], keys: ['text', 'level'], check: checkAlert },
  table: { surfaces: ['message'], keys: ['rows', 'column_settings'], check: checkTable },
  markdown: {
    surfaces: ['message'],
    keys: ['text'],
    check: (check, path, block) => checkString(check, `${path}/text`, block.text, 12_000),
  },
};
