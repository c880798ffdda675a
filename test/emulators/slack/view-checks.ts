import {
  type BlockFault,
  type Check,
  checkFlag,
  checkKeys,
  checkOptionalString,
  fail,
} from './blocks/check.ts';
import { describeFault, findBlockFaults } from './blocks/faults.ts';
import { checkOptionalPlain, checkPlain } from './blocks/texts.ts';
import { isRecord, type Json, parseJson, records } from './json.ts';
import { Refusal } from './refusal.ts';

const LARGEST = 250_000;
const COMMON = ['type', 'blocks', 'private_metadata', 'callback_id'];
const MODAL = ['title', 'submit', 'close', 'clear_on_close'];

/** Everything that Slack would refuse in a modal or Home tab. */
export function viewFaults(view: unknown, type: 'modal' | 'home'): string[] {
  return findViewFaults(view, type).map(describeFault);
}

/** Checks the view of a call and returns it; throws the refusal that Slack would give. */
export function checkedView(value: unknown, type: 'modal' | 'home', by: string): Json {
  const view = typeof value === 'string' ? parseJson(value) : value;
  const size = JSON.stringify(view ?? null).length;
  if (size > LARGEST) throw new Refusal('view_too_large', `${by}: a view of ${size} bytes`);
  const faults = viewFaults(view, type);
  if (faults.length > 0 || !isRecord(view)) {
    throw new Refusal('invalid_arguments', `${by}: ${faults.join('; ')}`, {
      response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) },
    });
  }
  return view;
}

function findViewFaults(view: unknown, type: 'modal' | 'home'): BlockFault[] {
  const check: Check = { surface: type, faults: [] };
  if (!isRecord(view)) {
    fail(check, '/view', 'must be an object');
    return check.faults;
  }
  if (view.type !== type) fail(check, '/view/type', `must be ${type}`);
  checkKeys(check, '/view', view, type === 'modal' ? [...COMMON, ...MODAL] : COMMON);
  checkOptionalString(check, '/view/private_metadata', view.private_metadata, 3000, 0);
  checkOptionalString(check, '/view/callback_id', view.callback_id, 255, 0);
  if (type === 'modal') checkModal(check, view);
  check.faults.push(...findBlockFaults(view.blocks, type, '/view/blocks'));
  return check.faults;
}

function checkModal(check: Check, view: Json): void {
  checkPlain(check, '/view/title', view.title, 24);
  checkOptionalPlain(check, '/view/submit', view.submit, 24);
  checkOptionalPlain(check, '/view/close', view.close, 24);
  checkFlag(check, '/view/clear_on_close', view.clear_on_close);
  const asks = records(view.blocks).some((block) => block.type === 'input');
  if (asks && view.submit === undefined) {
    fail(check, '/view/submit', 'is needed when a modal has input blocks');
  }
}
