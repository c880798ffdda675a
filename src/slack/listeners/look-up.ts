import type { App, SlackViewMiddlewareArgs, ViewSubmitAction, webApi } from '@slack/bolt';
import type { Destination } from '../../core/destination.ts';
import { isFault } from '../../core/faults.ts';
import { type Asked, withSearch } from '../../core/lookup.ts';
import { isTooMuch, readSearch } from '../../core/search-text.ts';
import { destinationOfView } from '../block-kit/modal-destination.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { responseUrl } from '../delivery/response-url.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { FILTER_INPUT, ID_INPUT, LOOK_UP_MODAL, WHERE_INPUT } from '../views/look-up-modal.ts';
import { SEARCH_INPUT, SEARCH_TOO_LONG } from '../views/search-modal.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, pointerTo, type Request, tellPrivately } from './request.ts';

const NOT_HERE = 'To read a result alone, leave “Where to answer” empty instead of typing “me”.';
const NOT_THERE =
  'Slack does not let you post there. Choose a conversation that you are in, or none for a direct message.';
const NOT_IN_TWO = 'A comparison cannot be searched: leave this empty, or type one snapshot.';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & { readonly client: webApi.WebClient };

/** The modal that asks for a snapshot was filled in: the request is written down, then the modal closes. */
export function listenToLookUps(app: App, context: ListenerContext): void {
  app.view<ViewSubmitAction>(LOOK_UP_MODAL, async (submission) => {
    const { ack, view } = submission;
    const asked = askedIn(view);
    if ('problems' in asked) {
      await ack({ response_action: 'errors', errors: asked.problems });
      return;
    }
    const destination = destinationFor(submission, context);
    if (destination === undefined) {
      await ack({ response_action: 'errors', errors: { [WHERE_INPUT]: NOT_THERE } });
      return;
    }
    const request = { ...asked, destination };
    try {
      // Slack gives a submission no id of its own; the trigger is new for each.
      const waiting = await once(context, submission.body.trigger_id, () => acceptOrJoin(request, context));
      await ack();
      if (waiting !== undefined) await point(submission, request, waiting, context);
    } catch (error) {
      if (!isFault(error)) throw error;
      context.logger.error({ err: error }, 'a request could not be written down');
      const { text } = faultNotice(error, context.operator);
      await ack({ response_action: 'errors', errors: { [ID_INPUT]: text } });
    }
  });
}

/** What was filled in, or what is wrong with it, by input. */
function askedIn(view: ViewSubmitAction['view']): Asked | { readonly problems: Record<string, string> } {
  const parsed = parseCommand(`${filledIn(view, ID_INPUT)} ${filledIn(view, FILTER_INPUT)}`);
  if (parsed.kind === 'usage') return { problems: { [ID_INPUT]: parsed.problem ?? 'The id is missing.' } };
  const { kind: _kind, isForMe, ...asked } = parsed;
  if (isForMe) return { problems: { [ID_INPUT]: NOT_HERE } };
  const search = readSearch(filledIn(view, SEARCH_INPUT));
  if (isTooMuch(search)) return { problems: { [SEARCH_INPUT]: SEARCH_TOO_LONG } };
  if (asked.before !== undefined && search.length > 0) return { problems: { [SEARCH_INPUT]: NOT_IN_TWO } };
  return withSearch(asked, search.length > 0 ? search : (asked.search ?? []));
}

async function point(
  { client }: Submission,
  request: Request,
  waiting: WaitingMessage,
  context: ListenerContext,
): Promise<void> {
  const message = await pointerTo(request, waiting, client);
  const { response, threadTs, hasThread, channel, user } = request.destination;
  const thread = hasThread ? threadTs : undefined;
  if (response === undefined)
    await tellPrivately(client, { channel, user, ...(thread && { threadTs: thread }) }, message);
  else await context.responses.post(response, message, thread);
}

/**
 * Where the modal was opened from, else the conversation that was chosen in it, else a direct message. Undefined for a
 * conversation without a response URL of Slack: the person may not post there, so the bot does not for them.
 */
function destinationFor({ body, view }: Submission, { now }: ListenerContext): Destination | undefined {
  const user = body.user.id;
  const opened = destinationOfView(view);
  if (opened !== undefined) {
    const { channel, threadTs, hasThread, response } = opened;
    return {
      channel,
      user,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(hasThread === undefined ? {} : { hasThread }),
      ...(response === undefined ? {} : { response: { ...response, replaces: false } }),
    };
  }
  const channel = filledIn(view, WHERE_INPUT);
  const chosen = body.response_urls?.find(({ channel_id }) => channel_id === channel);
  if (channel === '') return { channel: user, user };
  if (chosen === undefined) return undefined;
  return { channel, user, response: responseUrl(chosen.response_url, false, now()) };
}

/** What was filled in; '' for what was not. */
function filledIn({ state }: ViewSubmitAction['view'], name: string): string {
  const given = state.values[name]?.[name];
  return given?.value ?? given?.selected_option?.value ?? given?.selected_conversation ?? '';
}
