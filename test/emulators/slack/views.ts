import type { Journal } from './journal.ts';
import { compact, type Json } from './json.ts';
import { withIds } from './message-json.ts';
import type { OpenView } from './model.ts';
import { Refusal } from './refusal.ts';
import { TEAM } from './seed.ts';

const DEEPEST = 3;

/** The modals that people have open, and their Home tabs. */
export class Views {
  readonly #journal: Journal;
  readonly #stacks = new Map<string, OpenView[]>();
  readonly #homes = new Map<string, OpenView>();
  readonly #closed = new Set<string>();
  #count = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The modals of a person, the one on top last. */
  of(user: string): readonly OpenView[] {
    return this.#stacks.get(user) ?? [];
  }

  /** Every open modal. */
  all(): OpenView[] {
    return [...this.#stacks.values()].flat();
  }

  /** The Home tab of a person, once the bot has published one. */
  home(user: string): OpenView | undefined {
    return this.#homes.get(user);
  }

  /** Opens a modal, instead of those that were open. */
  open(user: string, view: Json): OpenView {
    for (const { id } of this.of(user)) this.#closed.add(id);
    const opened = this.#make(user, view);
    this.#stacks.set(user, [opened]);
    this.#journal.tell({ type: 'view', change: 'opened', user });
    return opened;
  }

  /** Puts a modal on top of the open one. */
  push(user: string, view: Json): OpenView {
    const stack = this.#stacks.get(user) ?? [];
    if (stack.length >= DEEPEST) throw new Refusal('push_limit_reached', 'a fourth modal on top of three');
    const opened = this.#make(user, view, stack.at(-1));
    this.#stacks.set(user, [...stack, opened]);
    this.#journal.tell({ type: 'view', change: 'opened', user });
    return opened;
  }

  /** Changes an open modal or Home tab. */
  replace(old: OpenView, view: Json): OpenView {
    this.#count += 1;
    const changed = { ...old, view, hash: `hash-${this.#count}`, errors: {} };
    this.#store(changed);
    return changed;
  }

  /** Stores what a person filled in, or the errors that the app showed. */
  note(old: OpenView, notes: Partial<Pick<OpenView, 'values' | 'errors'>>): OpenView {
    const changed = { ...old, ...notes };
    this.#store(changed);
    return changed;
  }

  /** Shows a Home tab. */
  publish(user: string, view: Json): OpenView {
    const known = this.#homes.get(user);
    const home = known ? this.replace(known, view) : this.#make(user, view);
    this.#homes.set(user, home);
    this.#journal.tell({ type: 'home', user });
    return home;
  }

  /** Closes the modal on top. */
  close(user: string): void {
    const stack = this.#stacks.get(user) ?? [];
    const kept = stack.slice(0, -1);
    for (const { id } of stack.slice(-1)) this.#closed.add(id);
    if (kept.length > 0) this.#stacks.set(user, kept);
    else this.#stacks.delete(user);
    this.#journal.tell({ type: 'view', change: 'closed', user });
  }

  /** The view that a call names. */
  find(viewId: string): OpenView {
    const open = [...this.all(), ...this.#homes.values()];
    const found = open.find(({ id }) => id === viewId);
    if (found) return found;
    if (this.#closed.has(viewId)) throw Refusal.ofTheWorld('not_found');
    throw new Refusal('not_found', `no view ${viewId}`);
  }

  #make(user: string, view: Json, below?: OpenView): OpenView {
    this.#count += 1;
    const id = `V0VIEW${this.#count}`;
    return {
      id,
      user,
      view,
      hash: `hash-${this.#count}`,
      rootId: below?.rootId ?? id,
      previousId: below?.id,
      values: {},
      errors: {},
    };
  }

  #store(changed: OpenView): void {
    const { user, id } = changed;
    if (this.#homes.get(user)?.id === id) {
      this.#homes.set(user, changed);
      this.#journal.tell({ type: 'home', user });
      return;
    }
    this.#stacks.set(
      user,
      this.of(user).map((view) => (view.id === id ? changed : view)),
    );
    this.#journal.tell({ type: 'view', change: 'updated', user });
  }
}

/** A view as Slack sends it to apps. */
export function viewJson(open: OpenView, values: Json = open.values): Json {
  const { view } = open;
  const blocks = Array.isArray(view.blocks) ? withIds(view.blocks) : [];
  return compact({
    id: open.id,
    team_id: TEAM.id,
    app_id: TEAM.appId,
    bot_id: TEAM.botId,
    app_installed_team_id: TEAM.id,
    type: view.type,
    title: view.title,
    submit: view.submit ?? null,
    close: view.close ?? null,
    blocks,
    callback_id: view.callback_id ?? '',
    private_metadata: view.private_metadata ?? '',
    clear_on_close: view.clear_on_close ?? false,
    state: { values },
    hash: open.hash,
    root_view_id: open.rootId,
    previous_view_id: open.previousId ?? null,
  });
}
