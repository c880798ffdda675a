import type { Json } from '../json.ts';
import { type Check, checkFlag, checkList, fail, type Surface } from './check.ts';
import { checkElement } from './elements.ts';
import { checkRichText } from './rich-text.ts';
import { checkOptionalPlain, checkPlain, checkText } from './texts.ts';

/** The rules of one type of block. */
interface BlockRule {
  readonly surfaces: readonly Surface[];
  readonly keys: readonly string[];
  check(check: Check, path: string, block: Json): void;
}

const ALL: readonly Surface[] = ['message', 'modal', 'home'];

function checkContext(check: Check, path: string, block: Json): void {
  for (const { item, path: at } of checkList(check, `${path}/elements`, block.elements, 10)) {
    checkText(check, at, item, 3000);
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
  checkElement(check, `${path}/element`, block.element, 'input');
}

/** The types of block that the bot sends, whose rules the emulator knows completely; it refuses all others. */
export const BLOCKS: Readonly<Record<string, BlockRule>> = {
  header: {
    surfaces: ALL,
    keys: ['text'],
    check: (check, path, block) => checkPlain(check, `${path}/text`, block.text, 150),
  },
  section: {
    surfaces: ALL,
    keys: ['text', 'accessory'],
    check: (check, path, block) => {
      checkText(check, `${path}/text`, block.text, 3000);
      if (block.accessory !== undefined) checkElement(check, `${path}/accessory`, block.accessory, 'actions');
    },
  },
  context: { surfaces: ALL, keys: ['elements'], check: checkContext },
  actions: { surfaces: ALL, keys: ['elements'], check: checkActions },
  rich_text: { surfaces: ALL, keys: ['elements'], check: checkRichText },
  input: { surfaces: ALL, keys: ['label', 'hint', 'optional', 'element'], check: checkInput },
};
