import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, types, ViewSubmitAction } from '@slack/bolt';
import type { Asked, Destination } from '../../core/lookup.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { take } from './accept.ts';
import type { May } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { Listeners } from './listeners.ts';
import { isFirstAsFarAsKnown } from './once.ts';

type Args = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

/** A submitted form, without the means to acknowledge it. */
export type Submission = Pick<Args, 'body' | 'view' | 'client'>;

/** What is wrong with a form, by the block of its input: it stays open and says so there. */
type Problems = { readonly errors: Readonly<Record<string, string>> };
/** A lookup, which is stored before the form closes. `input`: the block that says why it could not be. */
type Request = { readonly asked: Asked; readonly destination: Destination; readonly input: string };
/** Everything else is done after the form has closed, or `view`, in which nothing can be used, has taken its place. */
type Work = { readonly view?: types.ModalView; readonly work: () => Promise<void> };

/**
 * Listens to a form. `read` decides at once, from what was filled in alone: it can ask nobody, because Slack waits for
 * the acknowledgement. What a form is submitted for is done once, however often it is pressed or delivered.
 */
export function listenToForm(
  on: Listeners,
  callbackId: string,
  may: May,
  context: ListenerContext,
  read: (submission: Submission) => Problems | Request | Work,
): void {
  on.form(callbackId, may, async (args) => {
    const { ack, view } = args;
    const form = read(args);
    if ('errors' in form) return ack({ response_action: 'errors', errors: form.errors });
    // Each version of a modal has a hash of its own; every press has another trigger.
    const name = `form:${view.id}:${view.hash}`;
    if ('asked' in form) return accept(args, name, form, context);
    await (form.view === undefined ? ack() : ack({ response_action: 'update', view: form.view }));
    if (await isFirstAsFarAsKnown(context, name)) await form.work();
  });
}

function accept(
  { ack, client, context: { received } }: Args,
  deliveryId: string,
  { asked, destination, input }: Request,
  context: ListenerContext,
): Promise<void> {
  const { channel, user, threadTs, hasThread, response } = destination;
  const thread = hasThread === true ? { threadTs } : {};
  const person = { channel, user, ...thread, responseUrl: response?.url };
  const tell = (message: { readonly text: string }) => tellPrivately({ ...context, client }, person, message);
  const fail = ({ text }: { readonly text: string }) =>
    received?.isAcknowledged() === true
      ? tell({ text })
      : ack({ response_action: 'errors', errors: { [input]: text } });
  return take(asked, { deliveryId, destination, acknowledge: ack, tell, fail }, context);
}
