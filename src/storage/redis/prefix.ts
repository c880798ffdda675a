/** What every key of the bot in Redis begins with. */
export const PREFIX = 'snapshot-bot';
