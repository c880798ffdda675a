import { z } from 'zod';
import { faultsIn } from './blocks/faults.ts';
import { blocksOf, plain, string } from './blocks/schema.ts';
import { isRecord, type Json, parseJson, records } from './json.ts';
import { Refusal } from './refusal.ts';

const LARGEST = 250_000;
const common = { private_metadata: string(3000, 0).optional(), callback_id: string(255, 0).optional() };
const title = plain(24).optional();
const VIEWS = {
  home: z.strictObject({ type: z.literal('home'), ...common, blocks: blocksOf('home') }),
  modal: z
    .strictObject({
      ...{ type: z.literal('modal'), ...common, title: plain(24), submit: title, close: title },
      clear_on_close: z.boolean().optional(),
      blocks: blocksOf('modal'),
    })
    .refine(
      ({ submit, blocks }) => submit !== undefined || records(blocks).every(({ type }) => type !== 'input'),
      {
        error: 'is needed when a modal has input blocks',
        path: ['submit'],
      },
    ),
};

/** Checks the view in a call and returns it; throws Slack's refusal. */
export function checkedView(value: unknown, type: 'modal' | 'home'): Json {
  const view = typeof value === 'string' ? parseJson(value) : value;
  const size = JSON.stringify(view ?? null).length;
  if (size > LARGEST) throw new Refusal('view_too_large', `a view of ${size} bytes`);
  const faults = faultsIn(VIEWS[type], view, '/view');
  if (faults.length > 0 || !isRecord(view)) {
    throw new Refusal('invalid_arguments', faults.join('; '), {
      response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) },
    });
  }
  return view;
}
