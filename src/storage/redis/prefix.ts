/** The prefix of every key of the bot in Redis. */
export const PREFIX = 'snapshot-bot';
