import type { Json } from '../emulators/slack/json.ts';
import type { Slack } from '../emulators/slack/slack.ts';

/** A person's line as Slack sends it. */
export interface Typed {
  readonly text: string;
  readonly blocks: readonly Json[];
}

/** Ids by name. */
export interface Directory {
  readonly users: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

/** The people and conversations that can be mentioned by name. */
export function directoryOf(slack: Slack): Directory {
  return {
    users: new Map(slack.users.map(({ id, name }) => [name, id])),
    channels: new Map(slack.channels.filter(({ kind }) => kind !== 'im').map(({ id, name }) => [name, id])),
  };
}

const PIECES = /https?:\/\/[^\s<>]+|@[\w-]+|#[\w-]+/g;

/**
 * Turns names and addresses in a typed line into mentions and links, like Slack's client. In an escaped command
 * (`isLabelled`), each mention or link also contains the typed name.
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
