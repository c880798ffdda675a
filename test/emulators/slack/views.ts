import type { Journal } from './journal.ts';
import { compact, type Json } from './json.ts';
import { withIds } from './message-json.ts';
import type { OpenView } from './model.ts';
import { Refusal } from './refusal.ts';
import { TEAM } from './seed.ts';

const DEEPEST = 3;

/** The open modals of people, and their Home tabs. */
export class Views {
  readonly #journal: Journal;
  readonly #stacks = new Map<string, readonly OpenView[]>();
  readonly #homes = new Map<string, OpenView>();
  readonly #known = new Set<string>();
  #versions = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The open modals of a person; the last one is on top. */
  of(user: string): readonly OpenView[] {
    return this.#stacks.get(user) ?? [];
  }

  /** Every open modal. */
  all(): OpenView[] {
    return [...this.#stacks.values()].flat();
  }

  /** The Home tab of a person; undefined before the bot published it. */
  home(user: string): OpenView | undefined {
    return this.#homes.get(user);
  }

  /** Opens a modal, and closes the person's other modals. */
  open(user: string, view: Json): OpenView {
    return this.#show(this.#make(user, view), []);
  }

  /** Puts a modal on top of the open one. */
  push(user: string, view: Json): OpenView {
    const below = this.of(user);
    if (below.length >= DEEPEST) throw new Refusal('push_limit_reached', 'a fourth modal on top of three');
    return this.#show(this.#make(user, view), below);
  }

  /** Changes an open modal or Home tab. */
  replace(old: OpenView, view: Json): OpenView {
    return this.note({ ...old, view, hash: this.#version() }, { errors: {} });
  }

  /** Stores the values that a person filled in, or the errors that the app returned. */
  note(old: OpenView, notes: Partial<Pick<OpenView, 'values' | 'errors'>>): OpenView {
    const changed = { ...old, ...notes };
    const { user, id } = changed;
    if (this.home(user)?.id === id) this.#homes.set(user, changed);
    else
      this.#stacks.set(
        user,
        this.of(user).map((view) => (view.id === id ? changed : view)),
      );
    this.#journal.tell({ type: 'other' });
    return changed;
  }

  /** Shows a Home tab. */
  publish(user: string, view: Json): OpenView {
    const home = this.home(user) ?? this.#make(user, view);
    this.#homes.set(user, home);
    return this.replace(home, view);
  }

  /** Closes the modal on top. */
  close(user: string): void {
    this.#stacks.set(user, this.of(user).slice(0, -1));
    this.#journal.tell({ type: 'other' });
  }

  /** The view with this id; refuses an unknown id. */
  find(viewId: string): OpenView {
    const found = [...this.all(), ...this.#homes.values()].find(({ id }) => id === viewId);
    if (found) return found;
    // The view was closed.
    if (this.#known.has(viewId)) throw Refusal.ofTheWorld('not_found');
    throw new Refusal('not_found', `no view ${viewId}`);
  }

  #show(view: OpenView, below: readonly OpenView[]): OpenView {
    this.#stacks.set(view.user, [...below, view]);
    this.#journal.tell({ type: 'other' });
    return view;
  }

  #make(user: string, view: Json): OpenView {
    const id = `V0VIEW${this.#known.size + 1}`;
    this.#known.add(id);
    return { id, user, view, hash: this.#version(), values: {}, errors: {} };
  }

  #version(): string {
    this.#versions += 1;
    return `hash-${this.#versions}`;
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
  });
}
