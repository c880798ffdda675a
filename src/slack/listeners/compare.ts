import type { AllMiddlewareArgs, App, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import { comparingValue, readComparing, type ViewState } from '../block-kit/action-values.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { comparisonOf } from '../commands/subcommands/compare.ts';
import { faultNotice } from '../messages/fault-message.ts';
import {
  AFTER,
  COMPARE_VIEW,
  compareModal,
  NOT_ONE_ID,
  OTHER_ID,
  OTHER_SIDE,
  SAME_SNAPSHOT,
} from '../views/compare-modal.ts';
import { type Click, originOf } from './click.ts';
import { isFirst, type ListenerContext } from './context.ts';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

/** The other snapshot that "Compare with…" asked for: a comparison like one that was typed, beside the result. */
export function listenToCompare(app: App, context: ListenerContext): void {
  app.view<ViewSubmitAction>(COMPARE_VIEW, async (submission) => {
    const problem = await compare(submission, context);
    const answer = { response_action: 'errors', errors: { [OTHER_ID]: problem ?? '' } } as const;
    await (problem === undefined ? submission.ack() : submission.ack(answer));
  });
}

/** Opens the modal that asks. */
export async function askWhatToCompare(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  { question }: ViewState,
): Promise<void> {
  const metadata = comparingValue({ ...originOf(click), snapshotId: question.snapshotId });
  const view = compareModal(question.snapshotId, metadata);
  await click.client.views.open({ trigger_id: click.body.trigger_id, view });
}

/** Takes the comparison on; or says why it can't, for the eyes of who is in the modal. */
async function compare({ body, view }: Submission, context: ListenerContext): Promise<string | undefined> {
  const { snapshotId, channel, threadTs } = readComparing(view.private_metadata);
  const { [OTHER_ID]: typed, [OTHER_SIDE]: side } = view.state.values;
  const asked = read(
    typed?.[OTHER_ID]?.value ?? '',
    snapshotId,
    side?.[OTHER_SIDE]?.selected_option?.value === AFTER,
  );
  if (typeof asked === 'string') return asked;
  const thread = threadTs === undefined ? {} : { threadTs };
  const destination = { channel, user: body.user.id, ...thread };
  try {
    if (!(await isFirst(context, body.trigger_id))) return undefined;
    await context.lookups.accept({ ...asked, askedBy: body.user.id, destination });
    return undefined;
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.error({ err: error }, 'a comparison could not be written down');
    return faultNotice(error, context.operator).text;
  }
}

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId, isAfter: boolean): Asked | string {
  const parsed = parseCommand(typed);
  if (parsed.kind === 'usage') return parsed.problem ?? NOT_ONE_ID;
  if (parsed.before !== undefined) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  if (other === snapshotId) return SAME_SNAPSHOT;
  return isAfter ? comparisonOf(snapshotId, other) : comparisonOf(other, snapshotId);
}
