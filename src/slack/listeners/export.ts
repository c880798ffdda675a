import { webApi } from '@slack/bolt';
import type { ViewState } from '../button-values.ts';
import { type ExportChoice, exportFile } from '../exports/export-file.ts';
import type { TextFile } from '../file-uploader.ts';
import {
  EXPORT_FAILED,
  EXPORT_IS_IN_DM,
  EXPORT_NEEDS_SCOPE,
  exportElsewhereMessage,
} from '../messages/export-notices.ts';
import { type Click, originOf, orTellClicker, tellClicker } from './click.ts';
import { isFirst, type ListenerContext } from './context.ts';
import { tellProcessing } from './controls.ts';
import { readAnswers } from './reading.ts';

type Export = { readonly file: TextFile; readonly comment: string };

/** Uploads a result as a file: into the thread of its message, else as a direct message to who asked. */
export async function exportResult(
  click: Click,
  state: ViewState,
  choice: ExportChoice,
  context: ListenerContext,
): Promise<void> {
  const work = async () => {
    if (!(await isFirst(context, click.body.trigger_id))) return;
    const answers = await readAnswers(state, context);
    if (answers === undefined) return tellProcessing(click, state);
    const { file, comment } = exportFile(state, answers, choice);
    const said = await upload(click, { file, comment }, context);
    if (said !== undefined) await tellClicker(click, said);
  };
  await orTellClicker(click, context, work, state);
}

/** What the clicker has to be told of it, if anything. */
async function upload(click: Click, exported: Export, context: ListenerContext): Promise<string | undefined> {
  try {
    if (await uploadToThread(click, exported, context)) return undefined;
    await uploadToDm(click, exported, context);
    return EXPORT_IS_IN_DM;
  } catch (error) {
    context.logger.warn({ err: error }, 'an export could not be uploaded');
    return isMissingScope(error) ? EXPORT_NEEDS_SCOPE : EXPORT_FAILED;
  }
}

/** False where the bot can't upload in that conversation. */
async function uploadToThread(
  click: Click,
  { file, comment }: Export,
  { files, logger }: ListenerContext,
): Promise<boolean> {
  const { channel, messageTs, threadTs = messageTs } = originOf(click);
  // Only the clicker sees that message: it has no thread.
  if (messageTs === undefined || threadTs === undefined) return false;
  const id = await files.put(file);
  try {
    await files.show(id, file, { channel, threadTs }, `${comment}, exported by <@${click.body.user.id}>`);
    return true;
  } catch (error) {
    if (!(error instanceof webApi.WebAPIPlatformError) || isMissingScope(error)) throw error;
    logger.info({ err: error }, 'an export goes to a direct message');
    return false;
  }
}

async function uploadToDm(
  { body }: Click,
  { file, comment }: Export,
  { files, poster }: ListenerContext,
): Promise<void> {
  const id = await files.put(file);
  const { channel, ts } = await poster.post(
    { channel: body.user.id },
    exportElsewhereMessage(comment),
    'final',
  );
  await files.show(id, file, { channel, threadTs: ts }, comment);
}

function isMissingScope(error: unknown): boolean {
  return error instanceof webApi.WebAPIPlatformError && error.data.error === 'missing_scope';
}
