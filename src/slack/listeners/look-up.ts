import type { App, SlackViewMiddlewareArgs, ViewSubmitAction, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { FILTER_INPUT, ID_INPUT, LOOK_UP_MODAL, WHERE_INPUT } from '../messages/look-up-modal.ts';
import { placeOfView } from '../modal-place.ts';
import { parseCommand } from '../parse-command.ts';
import { type Place, responseUrl } from '../place.ts';
import type { StandingMessage } from '../standing.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo, type Request, tellPrivately } from './request.ts';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & { readonly client: webApi.WebClient };

/** The modal that asks for a snapshot was filled in: the request is written down, then the modal closes. */
export function listenToLookUps(app: App, context: ListenerContext): void {
  app.view<ViewSubmitAction>(LOOK_UP_MODAL, async (submission) => {
    const { ack, view } = submission;
    const parsed = parseCommand(`${filledIn(view, ID_INPUT)} ${filledIn(view, FILTER_INPUT)}`);
    if (parsed.kind === 'usage') {
      await ack({
        response_action: 'errors',
        errors: { [ID_INPUT]: parsed.problem ?? 'The id is missing.' },
      });
      return;
    }
    const { kind: _kind, ...asked } = parsed;
    const request = { ...asked, place: placeFor(submission, context) };
    try {
      // Slack gives a submission no id of its own; the trigger is new for each.
      const waiting = await once(context, submission.body.trigger_id, () => acceptOrJoin(request, context));
      await ack();
      if (waiting !== undefined) await point(submission, request, waiting, context);
    } catch (error) {
      if (!isFault(error)) throw error;
      context.logger.error({ err: error }, 'a request could not be written down');
      const { text } = faultNotice(error, context.loginUrl);
      await ack({ response_action: 'errors', errors: { [ID_INPUT]: text } });
    }
  });
}

async function point(
  { client }: Submission,
  request: Request,
  waiting: StandingMessage,
  context: ListenerContext,
): Promise<void> {
  const message = await pointerTo(request, waiting, client);
  const { response, threadTs } = request.place;
  if (response === undefined) await tellPrivately(client, request.place, message);
  else await context.responses.post(response, message, threadTs);
}

/** Where the modal was opened from, else the conversation that was chosen in it, else a direct message. */
function placeFor({ body, view }: Submission, { now }: ListenerContext): Place {
  const user = body.user.id;
  const opened = placeOfView(view);
  if (opened !== undefined) {
    const { channel, threadTs, response } = opened;
    return {
      channel,
      user,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(response === undefined ? {} : { response: { ...response, replaces: false } }),
    };
  }
  const [chosen] = body.response_urls ?? [];
  const channel = chosen?.channel_id ?? filledIn(view, WHERE_INPUT);
  if (channel === '') return { channel: user, user };
  if (chosen === undefined) return { channel, user };
  return { channel, user, response: responseUrl(chosen.response_url, false, now()) };
}

/** What was filled in; '' for what was not. */
function filledIn({ state }: ViewSubmitAction['view'], name: string): string {
  const given = state.values[name]?.[name];
  return given?.value ?? given?.selected_option?.value ?? given?.selected_conversation ?? '';
}
