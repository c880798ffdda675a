import { Access, type AccessRules } from '../../src/slack/front/access.ts';
import type { Actor, EntryPoint } from '../../src/slack/front/delivery.ts';
import { identityThrough } from '../../src/slack/front/slack-app.ts';
import { slackFacts } from '../../src/slack/front/slack-facts.ts';
import { type ScriptedAnswer, scriptedSlack } from './scripted-slack.ts';

const OPEN: AccessRules = { channels: [], userGroups: [], guests: false, sharedChannels: false };
/** A member of the workspace, as Slack describes people. */
export const MEMBER = { team_id: 'T1' };

export type Answers = Record<string, ScriptedAnswer>;

/** Who may use the bot, where Slack says this of everybody and everything, unless a test says otherwise; it may change its mind. */
export function judging(rules: Partial<AccessRules> = {}, answers: Answers = {}) {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const said: Answers = {
    'auth.test': { user_id: 'U0BOT', team_id: 'T1', enterprise_id: 'E1' },
    'users.info': { user: MEMBER },
    'conversations.info': { channel: { is_ext_shared: false } },
    'usergroups.users.list': { users: ['U1'] },
    ...answers,
  };
  const slack = scriptedSlack(({ method }) => said[method] ?? {});
  const errors: string[] = [];
  const onError = (_error: unknown, key: string) => void errors.push(key);
  const facts = slackFacts({ client: slack.client, now, onError });
  const access = new Access({ ...OPEN, ...rules }, identityThrough(slack.client), facts);
  const asked = (method: string) => slack.methods().filter((each) => each === method).length;
  return { access, said, clock, errors, asked, calls: slack.calls };
}

export const CLICK: EntryPoint = { kind: 'message-click', responseUrl: '' };

/** Somebody who types a command, unless a test says otherwise. */
export function actor(changes: Partial<Actor> = {}): Actor {
  return {
    entryPoint: { kind: 'command', responseUrl: '' },
    user: 'U1',
    team: 'T1',
    channels: ['C1'],
    ...changes,
  };
}
