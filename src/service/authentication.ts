/** What proves to the service who asks. `generation` names the session, so that its refusal can be told from an older one's. */
export type Proof = {
  readonly headers: Readonly<Record<string, string>>;
  readonly generation: string;
};

/** Whether the service lets the bot in, as far as is known without trying. Times are epoch milliseconds. */
export type LoginHealth =
  | { readonly state: 'working'; readonly until: number }
  | { readonly state: 'refused'; readonly until: number }
  | { readonly state: 'not-needed' };

/** How the bot proves who it is: session cookies today; another kind is another implementation. */
export interface Authentication {
  /** The present proof for a request to `url`; logs in when there is none. Throws the faults of a login. */
  prove(url: URL): Promise<Proof>;
  /** The service refused this proof: the next `prove` gives another one. */
  refused(proof: Proof): Promise<void>;
  /** A new proof was refused at once: no further login until a cool-down has passed. */
  refusedAgain(proof: Proof): Promise<void>;
  /** What is known of the login now; never tries one. Throws `StorageFailed`. */
  health(): Promise<LoginHealth>;
}
