/** Whom a message names when somebody else has to act, as it reads in a sentence, and where the bot's account logs in. */
export type Operator = { readonly contact: string; readonly loginUrl: string };

/** Who is named where nobody is configured. */
export const DEFAULT_CONTACT = 'your bot admin';
