import { type Json, string } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Context } from '../setup.ts';
import { checkedView } from '../view-checks.ts';
import { viewJson } from '../views.ts';
import { knownUser } from './access.ts';

/** views.open */
export function open(args: Json, context: Context): Json {
  const view = checkedView(args.view, 'modal');
  const { user } = context.triggers.exchange(string(args.trigger_id));
  return { view: viewJson(context.views.open(user, view)) };
}

/** views.push */
export function push(args: Json, context: Context): Json {
  const view = checkedView(args.view, 'modal');
  const { user, viewId } = context.triggers.exchange(string(args.trigger_id));
  if (!viewId) throw new Refusal('invalid_trigger_id', 'the trigger is not from a modal');
  return { view: viewJson(context.views.push(user, view)) };
}

/** views.update */
export function update(args: Json, context: Context): Json {
  const open = context.views.find(string(args.view_id));
  const type = open.view.type === 'home' ? 'home' : 'modal';
  const view = checkedView(args.view, type);
  if (args.hash !== undefined && args.hash !== open.hash) throw Refusal.ofTheWorld('hash_conflict');
  return { view: viewJson(context.views.replace(open, view)) };
}

/** views.publish */
export function publish(args: Json, context: Context): Json {
  const user = knownUser(context, args.user_id);
  const view = checkedView(args.view, 'home');
  const known = context.views.home(user.id);
  if (args.hash !== undefined && known && args.hash !== known.hash) throw Refusal.ofTheWorld('hash_conflict');
  return { view: viewJson(context.views.publish(user.id, view)) };
}
