/** Work by name: whoever asks while a piece of work with the same name runs gets that one's outcome. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  do(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
