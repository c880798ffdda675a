import type { App, SlackViewMiddlewareArgs, ViewSubmitAction, webApi } from '@slack/bolt';
import type { Destination } from '../../core/destination.ts';
import { withSearch } from '../../core/lookup.ts';
import { isTooMuch, readSearch } from '../../core/search-text.ts';
import type { Message } from '../block-kit/blocks.ts';
import { destinationOfView } from '../block-kit/modal-destination.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { FILTER_INPUT, ID_INPUT, LOOK_UP_MODAL, WHERE_INPUT } from '../views/look-up-modal.ts';
import { SEARCH_INPUT, SEARCH_TOO_LONG } from '../views/search-modal.ts';
import type { ListenerContext } from './context.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { tellPrivately } from './request.ts';

const NOT_HERE = 'To read a result in private, leave “Where to answer” empty instead of typing “me”.';
const NOT_THERE =
  'You can’t post there. Choose a conversation that you’re in, or leave this empty for a direct message.';
const NOT_IN_TWO = 'A comparison can’t be searched: leave this empty, or type one id.';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & { readonly client: webApi.WebClient };

/** The modal that asks for a snapshot was submitted: the request is stored, then the modal closes. */
export function listenToLookUps(app: App, context: ListenerContext): void {
  app.view<ViewSubmitAction>(LOOK_UP_MODAL, async (submission) => {
    const { view } = submission;
    const destination = destinationFor(submission, context);
    if (destination === undefined) return refuse(submission, WHERE_INPUT, NOT_THERE);
    const parsed = parseCommand(`${filledIn(view, ID_INPUT)} ${filledIn(view, FILTER_INPUT)}`);
    const search = readSearch(filledIn(view, SEARCH_INPUT));
    const entry = entryPointOf(submission, destination, context);
    if (parsed.kind !== 'lookup' || search.length === 0) return dispatch(parsed, entry, context);
    if (isTooMuch(search)) return refuse(submission, SEARCH_INPUT, SEARCH_TOO_LONG);
    if (parsed.before !== undefined) return refuse(submission, SEARCH_INPUT, NOT_IN_TWO);
    await dispatch(withSearch(parsed, search), entry, context);
  });
}

function refuse({ ack }: Submission, input: string, problem: string): Promise<void> {
  return ack({ response_action: 'errors', errors: { [input]: problem } });
}

function entryPointOf(
  submission: Submission,
  destination: Destination,
  context: ListenerContext,
): TextEntryPoint {
  const { ack, body } = submission;
  const refuseId = (problem: string) => refuse(submission, ID_INPUT, problem);
  return {
    // A submission has no id of its own; its trigger id is unique.
    deliveryId: body.trigger_id,
    destination,
    acknowledge: ack,
    tell: (message) => tellAt(destination, message, submission, context),
    fail: ({ text }) => refuseId(text),
    explain: ({ problem }) => refuseId(problem ?? 'The id is missing.'),
    showAlone: () => refuseId(NOT_HERE),
  };
}

async function tellAt(
  { response, threadTs, hasThread, channel, user }: Destination,
  message: Message,
  { client }: Submission,
  { responses }: ListenerContext,
): Promise<void> {
  const thread = hasThread ? threadTs : undefined;
  if (response === undefined) await tellPrivately(client, { channel, user, threadTs: thread }, message);
  else await responses.post(response, message, thread);
}

/**
 * The destination: where the modal was opened, else the conversation chosen in it, else a direct message. Undefined for
 * a conversation without a response URL: the person may not post there, so the bot does not either.
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

/** The value of an input; '' if it is empty. */
function filledIn({ state }: ViewSubmitAction['view'], name: string): string {
  const given = state.values[name]?.[name];
  return given?.value ?? given?.selected_option?.value ?? given?.selected_conversation ?? '';
}
