import type { AllMiddlewareArgs } from '@slack/bolt';
import type { Asked } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { comparingValue, readComparing } from '../block-kit/origin-values.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { comparisonOf } from '../commands/subcommands/compare.ts';
import { type Click, originOf } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import { listenToForm } from '../front/form.ts';
import type { Listeners } from '../front/listeners.ts';
import { COMPARE_VIEW, compareModal, NOT_ONE_ID, OTHER_ID, SAME_SNAPSHOT } from '../views/compare-modal.ts';

/** "Compare with…" was submitted: a comparison with that snapshot, in a new message. */
export function listenToCompare(on: Listeners, context: ListenerContext): void {
  listenToForm(on, COMPARE_VIEW, 'ask', context, ({ view, body }) => {
    const { channel, threadTs, snapshotId } = readComparing(view.private_metadata);
    const asked = read(view.state.values[OTHER_ID]?.[OTHER_ID]?.value ?? '', snapshotId);
    if (typeof asked === 'string') return { errors: { [OTHER_ID]: asked } };
    const thread = threadTs === undefined ? {} : { threadTs, hasThread: true };
    return { asked, destination: { channel, user: body.user.id, ...thread }, input: OTHER_ID };
  });
}

/** Opens the modal that asks. */
export async function askWhatToCompare(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  { question }: ViewState,
  { windows }: ListenerContext,
): Promise<void> {
  const metadata = comparingValue({ ...originOf(click), snapshotId: question.snapshotId });
  const view = compareModal(question.snapshotId, metadata);
  await windows.show(click.client, click.body.trigger_id, view);
}

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId): Asked | string {
  const parsed = parseCommand(typed);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return parsed.problem;
  if (parsed.kind !== 'lookup' || parsed.before !== undefined) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  return other === snapshotId ? SAME_SNAPSHOT : comparisonOf(snapshotId, other);
}
