import type { Json } from '../emulators/slack/json.ts';
import type { Slack } from '../emulators/slack/slack.ts';

/** What Slack makes of what a person typed. */
export interface Typed {
  readonly text: string;
  readonly blocks: readonly Json[];
}

/** Ids by name. */
export interface Directory {
  readonly users: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

/** Who and what can be mentioned by name in this workspace. */
export function directoryOf(slack: Slack): Directory {
  return {
    users: new Map(slack.users.map(({ id, name }) => [name, id])),
    channels: new Map(slack.channels.filter(({ kind }) => kind !== 'im').map(({ id, name }) => [name, id])),
  };
}

const PIECES = /https?:\/\/[^\s<>]+|@[\w-]+|#[\w-]+/g;

/**
 * Turns names and addresses in typed text into mentions and links, as Slack's client does. In the text of an escaped
 * command each has its label.
 */
export function typed(line: string, directory: Directory, isLabelled = false): Typed {
  const elements: Json[] = [];
  let text = '';
  let last = 0;
  const plain = (part: string) => {
    if (part === '') return;
    elements.push({ type: 'text', text: part });
    text += escaped(part);
  };
  for (const match of line.matchAll(PIECES)) {
    const special = specialPiece(match[0], directory, isLabelled);
    if (special === undefined) continue;
    plain(line.slice(last, match.index));
    elements.push(special.element);
    text += special.text;
    last = match.index + match[0].length;
  }
  plain(line.slice(last));
  const section = { type: 'rich_text_section', elements };
  return {
    text,
    blocks: elements.length === 0 ? [] : [{ type: 'rich_text', block_id: 'typed', elements: [section] }],
  };
}

function specialPiece(
  piece: string,
  { users, channels }: Directory,
  isLabelled: boolean,
): { element: Json; text: string } | undefined {
  const name = piece.slice(1);
  const label = (text: string) => (isLabelled ? `|${text}` : '');
  const user = piece.startsWith('@') ? users.get(name) : undefined;
  if (user !== undefined) {
    return { element: { type: 'user', user_id: user }, text: `<@${user}${label(name)}>` };
  }
  const channel = piece.startsWith('#') ? channels.get(name) : undefined;
  if (channel !== undefined) {
    return { element: { type: 'channel', channel_id: channel }, text: `<#${channel}|${name}>` };
  }
  if (!piece.startsWith('http')) return undefined;
  return { element: { type: 'link', url: piece }, text: `<${escaped(piece)}${label(escaped(piece))}>` };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
