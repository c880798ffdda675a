import type { Destination } from '../../../core/destination.ts';
import { withSearch } from '../../../core/lookup.ts';
import { OTHERS_ARE_FOR } from '../../answer/result-menu.ts';
import { readSearchInput, SEARCH_INPUT } from '../../answer/search-input.ts';
import { destinationOfView } from '../../block-kit/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import type { ParsedCommand } from '../../commands/subcommand.ts';
import { responseUrl } from '../../delivery/response-url.ts';
import type { ListenerContext } from '../../front/context.ts';
import { listenToForm, type Submission } from '../../front/form.ts';
import type { Listeners } from '../../front/listeners.ts';
import { EVERYTHING, FILTER_INPUT, ID_INPUT, LOOK_UP_MODAL, WHERE_INPUT } from '../../views/look-up-modal.ts';
import { NO_STATUS_HERE } from './dispatch.ts';

const NOT_HERE = 'To read a result in private, leave “Where to answer” empty instead of typing “me”.';
const NO_WATCH_HERE = `Type only the id here. To watch its snapshot, choose “${OTHERS_ARE_FOR}” behind ⋯ of the result.`;
const NOT_THERE =
  'You can’t post there. Choose a conversation that you’re in, or leave this empty for a direct message.';
const NOT_IN_TWO = 'A comparison can’t be searched: leave this empty, or type one id.';

/** The modal that asks for a snapshot was submitted. */
export function listenToLookUps(on: Listeners, context: ListenerContext): void {
  listenToForm(on, LOOK_UP_MODAL, 'ask', context, (submission) => {
    const { view } = submission;
    const destination = destinationFor(submission, context);
    if (destination === undefined) return { errors: { [WHERE_INPUT]: NOT_THERE } };
    const parsed = parseCommand(`${filledIn(view, ID_INPUT)} ${toShow(view)}`);
    const problem = problemOf(parsed);
    if (problem !== undefined) return { errors: { [ID_INPUT]: problem } };
    const { kind: _kind, isForMe: _here, ...asked } = parsed as Extract<ParsedCommand, { kind: 'lookup' }>;
    const read = readSearchInput(view.state.values, asked);
    if ('errors' in read) return read;
    if (read.search.length === 0) return { asked, destination, input: ID_INPUT };
    if (asked.before !== undefined) return { errors: { [SEARCH_INPUT]: NOT_IN_TWO } };
    return { asked: withSearch(asked, read.search), destination, input: ID_INPUT };
  });
}

/** Why a text can't be answered as a lookup for others to see; undefined if it can. */
function problemOf(parsed: ParsedCommand): string | undefined {
  if (parsed.kind === 'usage') return parsed.problem ?? 'The id is missing.';
  if (parsed.kind === 'lookup') return parsed.isForMe ? NOT_HERE : undefined;
  return parsed.kind === 'status' ? NO_STATUS_HERE : NO_WATCH_HERE;
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

/** What to show. What the form holds before anybody chooses says nothing against words beside the id. */
function toShow(view: Submission['view']): string {
  const filter = filledIn(view, FILTER_INPUT);
  return filter === EVERYTHING ? '' : filter;
}

/** The value of an input; '' if it is empty. */
function filledIn({ state }: Submission['view'], name: string): string {
  const given = state.values[name]?.[name];
  return given?.value ?? given?.selected_option?.value ?? given?.selected_conversation ?? '';
}
