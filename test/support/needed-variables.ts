/** A valid value of every required variable; all other variables have defaults. */
export const NEEDED_VARIABLES: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-test',
  SLACK_SIGNING_SECRET: 'signing',
  DIAGNOSTICS_BASE_URL: 'https://api.example.com',
  DIAGNOSTICS_AUTH_URL: 'https://login.example.com',
  DIAGNOSTICS_VENDOR: 'acme',
  DIAGNOSTICS_USER_ID: 'bot@example.com',
  DIAGNOSTICS_USER_SECRET: 'a secret',
};
