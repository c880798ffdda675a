import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, types, ViewSubmitAction } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked, Destination } from '../../core/lookup.ts';
import { faultNotice } from '../report/notices.ts';
import { accept } from './accept.ts';
import type { ListenerContext } from './context.ts';
import { unlessRepeated } from './once.ts';

/** What is wrong with a form, by the block of its input: it stays open and says so there. */
type Problems = { readonly errors: Readonly<Record<string, string>> };
/** A lookup, which is stored before the form closes. `input`: the block that says why it could not be. */
type Lookup = { readonly asked: Asked; readonly destination: Destination; readonly input: string };
/** Everything else is done after the form has closed, or `view`, in which nothing can be used, has taken its place. */
type Work = { readonly view?: types.ModalView; readonly work: () => Promise<unknown> };

/** What is done with a form, decided from what was filled in alone: it can ask nobody, because Slack waits. */
export type FormOutcome = Problems | Lookup | Work;

/** Acknowledges a submitted form and does what it is for, once, however often it is pressed or delivered. */
export async function acceptForm(
  { ack, view, context: { received } }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs,
  form: FormOutcome,
  context: ListenerContext,
): Promise<void> {
  if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
  // Each version of a modal has a hash of its own; every press has another trigger.
  const deliveryId = `form:${view.id}:${view.hash}`;
  if ('work' in form) {
    await (form.view === undefined ? ack() : ack({ response_action: 'update', view: form.view }));
    await unlessRepeated(context, deliveryId, form.work);
    return;
  }
  const { asked, destination, input } = form;
  try {
    await accept(asked, { deliveryId, destination, acknowledge: ack }, context);
  } catch (error) {
    // A form that is still open says at its field why its request could not be stored: nothing has to be typed again.
    if (!isFault(error) || received.isAcknowledged()) throw error;
    context.logger.error({ err: error }, 'a form could not be accepted');
    await ack({ response_action: 'errors', errors: { [input]: faultNotice(error, context.operator).text } });
  }
}
