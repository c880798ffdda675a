import type { Slack } from '../emulators/slack/slack-interface.ts';
import type { Directory } from './typed.ts';

/** Who and what can be mentioned by name. */
export function directoryOf(slack: Slack): Directory {
  return {
    users: new Map(slack.users.map(({ id, name }) => [name, id])),
    channels: new Map(slack.channels.filter(({ kind }) => kind !== 'im').map(({ id, name }) => [name, id])),
  };
}
