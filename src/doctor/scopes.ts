/** A scope of the manifest, and what fails without it. */
type Scope = { readonly scope: string; readonly without: string; readonly isOptional: boolean };

/** Every scope that manifest.yml asks for; a test compares them. */
export const SCOPES: readonly Scope[] = [
  { scope: 'commands', without: '/snapshot and the shortcuts do not exist', isOptional: false },
  { scope: 'chat:write', without: 'the bot cannot answer', isOptional: false },
  { scope: 'app_mentions:read', without: 'mentions are not answered', isOptional: false },
  { scope: 'im:history', without: 'direct messages are not answered', isOptional: false },
  {
    scope: 'channels:history',
    without: 'an answer may appear twice when Slack loses the confirmation of a post',
    isOptional: true,
  },
  {
    scope: 'groups:history',
    without: 'the same in private channels',
    isOptional: true,
  },
  { scope: 'im:write', without: 'the same in direct messages', isOptional: true },
  { scope: 'files:write', without: 'results cannot be exported', isOptional: true },
  { scope: 'users:read', without: 'guests are answered like members', isOptional: true },
  {
    scope: 'channels:read',
    without: 'commands in channels that are shared with another company are answered there',
    isOptional: true,
  },
  { scope: 'groups:read', without: 'the same in private channels', isOptional: true },
  { scope: 'usergroups:read', without: 'ALLOWED_USERGROUPS lets nobody in', isOptional: true },
];
