import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, parseJson, record, records, string } from '../json.ts';
import { withIds } from '../message-json.ts';
import type { Delivery, OpenView } from '../model.ts';
import type { Context } from '../setup.ts';
import { checkedView } from '../view-checks.ts';
import { viewJson } from '../views.ts';
import { interaction, userNamed } from './base.ts';
import { openView } from './click.ts';
import { type Found, interactiveElements, stateOf, stateOfAll } from './elements.ts';

/** The input of `submit`: the modal, and what a person fills in. */
export interface SubmitInput {
  readonly view: OpenView;
  /** What to fill in, by action id. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Fills in a modal and presses its submit button. */
export async function submit(context: Context, input: SubmitInput): Promise<Delivery> {
  const current = openView(context, input.view);
  if (!current.view.submit) throw new Error('This modal has no submit button');
  const user = userNamed(context, current.user);
  const blocks = withIds(records(current.view.blocks));
  const values = filledIn(blocks, { ...stateOfAll(blocks), ...current.values }, input.values ?? {});
  const open = context.views.note(current, { values, errors: {} });
  const delivery = await context.sender.deliver('interaction', {
    ...interaction(context, 'view_submission', user),
    trigger_id: context.triggers.issue(user.id, open.id),
    view: viewJson(open),
    response_urls: responseUrls(context, blocks, values, user.id),
  });
  const { obeysAfterMs } = context.planned;
  if (obeysAfterMs > 0) await sleep(obeysAfterMs, undefined, { ref: false });
  if (delivery.acknowledged) obey(context, delivery, open);
  return delivery;
}

type State = Record<string, Record<string, Json>>;

function filledIn(
  blocks: readonly Json[],
  before: Readonly<Record<string, Readonly<Record<string, Json>>>>,
  values: NonNullable<SubmitInput['values']>,
): State {
  const state: State = { ...before };
  const elements = interactiveElements(blocks);
  for (const [actionId, value] of Object.entries(values)) {
    const found = elements.find(({ element }) => element.action_id === actionId);
    const chosen = found && stateOf(found.element, value);
    if (value.length > Number(found?.element.max_length ?? Number.POSITIVE_INFINITY))
      throw new Error(`Slack takes no more than ${found?.element.max_length} characters of ${actionId}`);
    if (!found || !chosen) throw new Error(`This modal has no input ${actionId}`);
    const id = String(found.block.block_id);
    state[id] = { ...state[id], [actionId]: chosen };
  }
  for (const found of elements) demandAnswer(found, state);
  return state;
}

function demandAnswer({ block, element }: Found, state: State): void {
  if (block.type !== 'input' || block.optional === true) return;
  const given = Object.entries(record(state[String(block.block_id)]?.[String(element.action_id)]));
  const empty = given.every(([key, value]) => key === 'type' || value === null || value === '');
  if (empty) throw new Error(`Slack would not send it: ${String(element.action_id)} is required`);
}

function responseUrls(context: Context, blocks: readonly Json[], values: State, user: string): Json[] {
  return interactiveElements(blocks)
    .filter(({ element }) => element.response_url_enabled === true)
    .flatMap(({ block, element }) => {
      const chosen = record(values[String(block.block_id)]?.[String(element.action_id)]);
      const channel = string(chosen.selected_conversation ?? chosen.selected_channel);
      if (!mayPost(context, channel, user)) return [];
      const url = context.responseUrls.issue({ kind: 'action', channel, user });
      return [
        { block_id: block.block_id, action_id: element.action_id, channel_id: channel, response_url: url },
      ];
    });
}

/**
 * Whether a person may write in a conversation. A modal offers every conversation, but Slack issues a response URL only
 * for these.
 */
function mayPost({ workspace }: Context, id: string, user: string): boolean {
  const channel = workspace.channelById(id);
  return channel !== undefined && !channel.archived && channel.members.has(user);
}

/** Carries out the acknowledgement of a submission; an empty one closes the modal. */
function obey(context: Context, delivery: Delivery, open: OpenView): void {
  const { response_action: action, view, errors } = record(parseJson(delivery.body));
  const current = context.views.of(open.user).find(({ id }) => id === open.id) ?? open;
  context.journal.during(
    'response_action',
    () => {
      if (action === undefined) context.views.close(open.user);
      else if (action === 'errors') showErrors(context, current, record(errors));
      else if (action === 'update') context.views.replace(current, checkedView(view, 'modal'));
      else context.journal.breach(`${String(action)} is not modelled here`);
    },
    ({ code }) => context.journal.breach(code),
  );
}

function showErrors(context: Context, open: OpenView, errors: Json): void {
  const inputs = records(open.view.blocks).filter((block) => block.type === 'input');
  for (const id of Object.keys(errors)) {
    if (!inputs.some((block) => block.block_id === id)) {
      context.journal.breach(`errors for ${id}, which is no input block`);
    }
  }
  const texts = Object.entries(errors).map(([id, text]) => [id, String(text)]);
  context.views.note(open, { errors: Object.fromEntries(texts) });
}
