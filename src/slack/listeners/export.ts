import { isFault } from '../../core/faults.ts';
import {
  EXPORT_FAILED,
  EXPORT_IS_IN_DM,
  EXPORT_UNSURE,
  exportElsewhereMessage,
  exportNeedsScope,
  longTextMessage,
} from '../answer/export-notices.ts';
import { clickFaultNotice, processingNotice } from '../answer/fault-message.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { TextFile } from '../delivery/file-uploader.ts';
import { codeOf, isOfSlack, isRefused, meaningOf } from '../delivery/slack-errors.ts';
import type { ExportChoice } from '../exports/export-choice.ts';
import { isFirst, type ListenerContext } from '../front/context.ts';
import type { Interaction } from '../front/message-modal.ts';
import { readAnswers } from '../front/reading.ts';

type Export = { readonly file: TextFile; readonly comment: string };

/** Where a file goes: what nobody has asked to show to others goes to one person alone. */
type SendTo = 'thread' | 'direct message';

/** How the audit calls what is told in these words; everything else failed. */
const OUTCOMES: Readonly<Record<string, string>> = {
  [EXPORT_IS_IN_DM]: 'in direct message',
  [EXPORT_UNSURE]: 'unsure',
};

/**
 * Uploads a result as a file to its message's thread, else to a direct message, or to that at once. True if it arrived
 * there; any other outcome is told to the asker.
 */
export async function exportResult(
  interaction: Interaction,
  state: ViewState,
  choice: ExportChoice,
  context: ListenerContext,
  sendTo: SendTo = 'thread',
): Promise<boolean> {
  const notice = await exportOrReason(interaction, state, choice, sendTo, context);
  if (notice === undefined || (sendTo === 'direct message' && notice === EXPORT_IS_IN_DM)) return true;
  if (notice !== '') await interaction.tell(notice);
  return false;
}

async function exportOrReason(
  interaction: Interaction,
  state: ViewState,
  choice: ExportChoice,
  sendTo: SendTo,
  context: ListenerContext,
): Promise<string | undefined> {
  try {
    if (!(await isFirst(context, interaction.triggerId))) return '';
    const answers = await readAnswers(state, context);
    if (answers === undefined) return processingNotice(state);
    const { exportFile } = await import('../exports/export-file.ts');
    const { file, comment } = exportFile(state, answers, choice);
    const notice = await upload(interaction, { file, comment }, sendTo, context);
    const outcome = notice === undefined ? 'in thread' : (OUTCOMES[notice] ?? 'failed');
    const { user, origin } = interaction;
    context.audit({
      event: 'exported',
      user,
      channel: origin.channel,
      snapshot: state.question.snapshotId,
      outcome,
    });
    return notice;
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'an export could not be made');
    return clickFaultNotice(error, state, context.operator).text;
  }
}

/** What to tell the asker, if anything. */
async function upload(
  interaction: Interaction,
  exported: Export,
  sendTo: SendTo,
  context: ListenerContext,
): Promise<string | undefined> {
  try {
    if (sendTo === 'thread' && (await uploadToThread(interaction, exported, context))) return undefined;
    const above = sendTo === 'thread' ? exportElsewhereMessage : longTextMessage;
    await uploadToDm(interaction, exported, above(exported.comment), context);
    return EXPORT_IS_IN_DM;
  } catch (error) {
    context.logger.warn({ err: error }, 'an export could not be uploaded');
    if (isMissingScope(error)) return exportNeedsScope(context.operator.contact);
    return isOfSlack(error) && meaningOf(error) === 'unsure' ? EXPORT_UNSURE : EXPORT_FAILED;
  }
}

/** False if the bot cannot upload to that conversation. */
async function uploadToThread(
  { origin, user }: Interaction,
  { file, comment }: Export,
  { files, logger }: ListenerContext,
): Promise<boolean> {
  const { channel, messageTs, threadTs = messageTs } = origin;
  // An ephemeral message has no thread.
  if (messageTs === undefined || threadTs === undefined) return false;
  const id = await files.put(file);
  try {
    await files.show(id, file, { channel, threadTs }, `${comment}, exported by <@${user}>`);
    return true;
  } catch (error) {
    if (!isRefused(error) || isMissingScope(error)) throw error;
    logger.info({ err: error }, 'an export goes to a direct message');
    return false;
  }
}

async function uploadToDm(
  { user }: Interaction,
  { file, comment }: Export,
  above: Message,
  { files, poster }: ListenerContext,
): Promise<void> {
  const id = await files.put(file);
  const { channel, ts } = await poster.post({ channel: user }, above, 'final');
  await files.show(id, file, { channel, threadTs: ts }, comment);
}

function isMissingScope(error: unknown): boolean {
  return codeOf(error) === 'missing_scope';
}
