import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { stateValue, type ViewState } from '../blocks/action-values.ts';
import { type Message, smallPrint } from '../blocks/blocks.ts';
import { viewMessage } from './view-message.ts';

type Drawn = { readonly message: Message; readonly askedBy: string };

/**
 * Draws results like `viewMessage`, each once for all who wait for it: they share the object, and only the name of who asks
 * differs. Without it row `answers` of the benchmark is a tenth lower. Of several results, of searches and beside the device's
 * last result it keeps nothing: what tells two of those apart is as large as they are.
 */
export function drawnOnce(): (state: ViewState, answers: Answers) => Message {
  const drawn = new WeakMap<DiagnosticsResult, Map<string, Drawn>>();
  return (state, answers) => {
    const { result, before, units, found, ...more } = answers;
    if ((before ?? units ?? found ?? more.lastRead?.found) !== undefined) return viewMessage(state, answers);
    const { askedBy, ...asked } = state;
    // How much room the rest has depends on the length of the name.
    const key = JSON.stringify([asked, more, askedBy.length]);
    const views = drawn.get(result) ?? new Map<string, Drawn>();
    drawn.set(result, views);
    const known = views.get(key) ?? { message: viewMessage(state, answers), askedBy };
    views.set(key, known);
    return known.askedBy === askedBy ? known.message : inNameOf(state, known);
  };
}

/** The same first page for somebody else: its small print and the state that its controls carry name who asked. */
function inNameOf(state: ViewState, { message, askedBy }: Drawn): Message {
  const blocks = message.blocks.map((block) => {
    if (block.block_id !== undefined) return { ...block, block_id: stateValue(state) };
    const [print] = block.type === 'context' ? block.elements : [];
    if (print?.type !== 'mrkdwn') return block;
    return smallPrint(print.text.replace(`<@${askedBy}>`, `<@${state.askedBy}>`));
  });
  return { ...message, blocks };
}
