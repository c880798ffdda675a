import type { types } from '@slack/bolt';
import { readSearch } from '../../../core/searching.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { ACTION, readHitKey } from '../../blocks/action-values.ts';
import { noticeModal } from '../../blocks/modal.ts';
import { ResponseUrlFailed } from '../../delivery/slack-errors.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature, MenuEntry } from '../../front/listeners.ts';
import { showDrawn, windowAt, withAnswers } from '../../front/windows.ts';
import { detailsMessage, detailsWindow, HIT_GONE } from '../../report/details.ts';
import { type Chosen, LIST_VIEW, listWindow, readList, SEARCH_FIELD, wholeOf } from '../../report/list.ts';
import { resultMessage } from '../../report/message-for.ts';
import { placeOf } from '../../report/rows.ts';

/**
 * Windows with everything that a message leaves out. Each is for one reader, and changes no message. Also the menu of a
 * message, with the entries of all features.
 */
export function read(entries: readonly MenuEntry[]): Feature {
  return {
    listen: (on) => {
      for (const [id, filter] of LISTS)
        on.click(id, 'read', (press) => {
          const search = id === ACTION.all ? [] : (press.state.search ?? []);
          return openList(press, { filter, search, page: 0 });
        });
      on.click(ACTION.filter, 'read', (press) => changeList(press, { filter: press.value, page: 0 }));
      on.click(new RegExp(`^${ACTION.page}`), 'read', (press) =>
        changeList(press, { page: Number(press.value) }),
      );
      on.form(LIST_VIEW, 'read', (press) => ({
        placeholder: noticeModal('Searching…'),
        work: () => changeList(press, { page: 0 }),
      }));
      for (const id of [new RegExp(`^${ACTION.details}(?:-\\d+)?$`), ACTION.previous, ACTION.next])
        on.click(id, 'read', (press) => showDetails(press));
      on.click(ACTION.share, 'post', share);
      on.click(ACTION.postHere, 'post', postHere);
      on.click(ACTION.menu, 'post', async (press) => {
        await [REFRESH, ...entries].find(({ value }) => value === press.value)?.choose(press);
      });
      // Slack opens these links without the bot, but still sends the click.
      on.click(/^article-/, 'read', async () => {});
      on.click(ACTION.ticket, 'read', async () => {});
    },
  };
}

/** The buttons that open the list, each with the filter that is selected first. */
const LISTS = [
  [ACTION.all, 'all'],
  [ACTION.search, 'all'],
  [ACTION.checks, 'passed'],
] as const;

const REFRESH: MenuEntry = {
  value: 'refresh',
  choose: (press) => {
    return withAnswers<void>(press, press.state, (answers) => press.redraw(answers), press.tell, true);
  },
};

function openList(press: Interaction, chosen: Chosen): Promise<void> {
  const { origin } = press;
  const view = wholeOf(press.state);
  press.audit('browsed', view);
  return showDrawn(press, windowAt(press), view, (answers) => listWindow(origin, view, answers, chosen));
}

/** Redraws the list with the reader's new filter or page, and with the text of the search field. */
function changeList(press: Interaction, change: Partial<Chosen>): Promise<void> {
  const { origin, body, where } = press;
  const { view, chosen } = readList(body.view?.private_metadata);
  const next = { ...chosen, search: readSearch(press.field(SEARCH_FIELD)), ...change };
  return showDrawn(press, windowAt(where), view, (answers) => listWindow(origin, view, answers, next));
}

/** Shows the details of a hit: in a new window, on top of the list, or in place of other details. */
function showDetails(press: Interaction, note = ''): Promise<void> {
  const { triggerId, origin, context, place, body } = press;
  const key = readHitKey(press.value);
  const viewId = body.view?.callback_id === LIST_VIEW ? undefined : body.view?.id;
  const how = place === 'message' ? 'open' : 'push';
  const show = windowAt({ context, viewId, triggerId, how }, JSON.stringify(origin));
  const draw = (answers: Answers): types.ModalView => {
    const found = placeOf(key, answers);
    if (found === undefined) return noticeModal(HIT_GONE);
    return detailsWindow({ ...found, ...context.operator }, origin.messageTs !== undefined, note);
  };
  return showDrawn(press, show, { question: key.question }, draw);
}

const SHARED = 'Shared in the thread.';
const NOT_SHARED =
  'Slack didn’t take it, or didn’t say so: look in the thread, and whether I’m in the channel, before you share again.';

async function share(press: Interaction): Promise<void> {
  const { context, user, origin } = press;
  const { channel, messageTs = '', threadTs = messageTs } = origin;
  const key = readHitKey(press.value);
  const view = { question: key.question };
  const post = async (answers: Answers) => {
    const found = placeOf(key, answers);
    if (found === undefined) return HIT_GONE;
    try {
      await context.poster.post({ channel, threadTs }, detailsMessage(found, user), 'final');
    } catch (err) {
      context.logger.warn({ err }, 'a hit could not be shared in the thread of a result');
      return NOT_SHARED;
    }
    press.audit('shared', view);
    return SHARED;
  };
  await press.once(user, async () => {
    const said = await withAnswers<string>(press, view, post, (why) => why);
    await showDetails(press, said);
    return said === SHARED;
  });
}

/** Posts an ephemeral message for everybody, by its response URL, as the bot is not a member of the conversation. */
async function postHere(press: Interaction): Promise<void> {
  const { user, origin, response, context, tell, state } = press;
  const threadTs = press.value || origin.threadTs;
  const draw = (answers: Answers) =>
    // Repeated presses post the message only once.
    press.once(user, async () => {
      const manner = { operator: context.operator, channel: origin.channel, isPrivate: false };
      const message = resultMessage({ ...state, askedBy: user }, answers, manner);
      if (!(await context.responses.tell(response.url, message, threadTs, 'in_channel')))
        throw new ResponseUrlFailed();
      press.audit('shared', state);
      await context.responses.remove(response.url);
    });
  await withAnswers<unknown>(press, state, draw, tell);
}
