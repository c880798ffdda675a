/** The settings of the connection to Slack. */
export type SlackSettings = {
  readonly botToken: string;
  /** With a trailing slash. */
  readonly apiUrl: string;
  /** How deliveries reach the bot: Socket Mode with an app-level token, HTTP with a signing secret. */
  readonly transport:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecret: string };
};
