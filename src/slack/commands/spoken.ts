import { type Reading, readText } from './ids.ts';
import type { Hosts } from './links.ts';
import { NO_ID_IN_LINK, type ParsedCommand, understood, withoutId } from './parse-command.ts';
import { commandWord } from './words.ts';

/**
 * Reads a message: its ids, and the issues and quoted words that are searched for. All other words are conversation,
 * unless each is one of the command: `1012 critical`, `help`.
 */
export function readMessage(text: string, hosts: Hosts): Reading {
  const reading = readText(text, hosts);
  const isCommand = reading.words.every((word) => commandWord(word) !== undefined);
  return isCommand ? reading : { ...reading, words: [] };
}

type Spoken = ParsedCommand | { readonly kind: 'chat' };

/** Reads a message to the bot. `chat`: it asks for nothing. */
export function parseSpoken(text: string, hosts: Hosts): Spoken {
  return asked(readMessage(text, hosts));
}

function asked(reading: Reading): Spoken {
  if (reading.ids.length > 0) return understood(reading);
  if (reading.hasOtherLink) return { kind: 'usage', problem: NO_ID_IN_LINK };
  return withoutId(reading.words) ?? { kind: 'chat' };
}

/** The text with a space in place of each mention of the bot. Takes time linear in the text. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

/** Every mention of this user, as Slack writes it in a message: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

/** Whether a mention could hold a request: a refused person gets no notice of one that holds neither number nor link. */
export function mayBeARequest(text: string, botUser: string): boolean {
  return /\p{Nd}|<https?:/u.test(withoutMention(text, botUser));
}

/** The most words of a mention that addresses the bot; sentences about it are longer. */
const FEW_WORDS = 5;
const THANKS = /\b(?:thanks?|thx|ta|cheers)\b/i;
const WHICH = 'Which snapshot? Mention me with its id.';
const SEEN_BY_ALL =
  'Everyone sees the answer to a mention. To read a result in private, type the command with “me”, or send me the id directly.';

/**
 * Reads a message that mentions the bot. With an id in it, it is always answered. Without one it is `quiet`, unless it is
 * short and begins with the mention. `more`: what it forwards.
 */
export function parseMention(
  text: string,
  botUser: string,
  hosts: Hosts,
  more = '',
): ParsedCommand | { readonly kind: 'quiet' } {
  const said = withoutMention(text, botUser).trim();
  const reading = readMessage(`${said}\n${more}`, hosts);
  const parsed = asked(reading);
  if (parsed.kind === 'lookup' && parsed.isForMe) return { kind: 'usage', problem: SEEN_BY_ALL };
  if (reading.ids.length > 0 && parsed.kind !== 'chat') return parsed;
  const isAddressed = text.trimStart().search(mentionOf(botUser)) === 0;
  const isShort = (said.match(/\S+/g) ?? []).length <= FEW_WORDS;
  if (!isAddressed || !isShort || THANKS.test(said)) return { kind: 'quiet' };
  return parsed.kind === 'chat' ? { kind: 'usage', problem: WHICH } : parsed;
}

const TEXT_KEYS = new Set(['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link', 'name']);

/**
 * Every text of a message as one: its own, its blocks, the names of its files, its attachments, and so what it forwards.
 * Slack's previews of links are left out.
 */
export function textOfMessage(message: unknown): string {
  return textsIn(message, '').join('\n');
}

function textsIn(value: unknown, key: string): string[] {
  if (typeof value === 'string') return TEXT_KEYS.has(key) ? [value] : [];
  if (typeof value !== 'object' || value === null || isPreview(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, Array.isArray(value) ? key : name));
}

function isPreview(value: object): boolean {
  return 'from_url' in value && !('is_share' in value && value.is_share === true);
}
