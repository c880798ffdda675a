import { type Hosts, type Reading, readText } from './ids.ts';
import { NO_ID_IN_LINK, type ParsedCommand, understood, withoutId } from './parse-command.ts';
import { meaningOf } from './words.ts';

/** Reads a message: its ids, and the issues and quoted words that are searched for. All other words are conversation. */
export function readMessage(text: string, hosts: Hosts): Reading {
  const reading = readText(text, hosts);
  return isCommand(reading) ? reading : { ...reading, words: [] };
}

/** Whether nothing but words of the command stands beside the ids: `1012 critical`, `help`. */
function isCommand({ words }: Reading): boolean {
  return words.every((word) => meaningOf(word) !== undefined);
}

const LETTERS = /[\p{L}\p{N}:]/u;

type Spoken = ParsedCommand | { readonly kind: 'chat' };

/** Reads a message to the bot. `chat`: it asks for nothing. */
export function parseSpoken(text: string, hosts: Hosts): Spoken {
  return asked(readMessage(text, hosts), text);
}

function asked(reading: Reading, text: string): Spoken {
  if (reading.ids.length > 0) return understood(reading);
  if (reading.hasOtherLink) return { kind: 'usage', problem: NO_ID_IN_LINK };
  const isSaid = reading.words.length > 0 || !LETTERS.test(text);
  return (isSaid ? withoutId(reading) : undefined) ?? { kind: 'chat' };
}

/** The text with a space in place of each mention of the bot. Takes time linear in the text. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

/** Every mention of this user, as Slack writes it in a message: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

const ID_OR_LINK = /\p{Nd}|<https?:/u;

/** Whether a mention could hold a request. It decides, without parsing, whether a refused person gets a notice. */
export function mayBeARequest(text: string, botUser: string): boolean {
  return ID_OR_LINK.test(withoutMention(text, botUser));
}

/** The most words of a mention that addresses the bot; sentences about it are longer. */
const FEW_WORDS = 5;
const COURTESIES = new Set([
  'thanks',
  'thank',
  'thx',
  'ta',
  'cheers',
  'you',
  'so',
  'very',
  'much',
  'a',
  'lot',
]);
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
  const whole = `${said}\n${more}`;
  const reading = readMessage(whole, hosts);
  const parsed = asked(reading, whole);
  if (parsed.kind === 'lookup' && parsed.isForMe) return { kind: 'usage', problem: SEEN_BY_ALL };
  if (reading.ids.length > 0 && parsed.kind !== 'chat') return parsed;
  const isAddressed = text.trimStart().search(mentionOf(botUser)) === 0;
  const isShort = (said.match(/\S+/g) ?? []).length <= FEW_WORDS;
  if (!isAddressed || !isShort || isOnlyPolite(said)) return { kind: 'quiet' };
  return parsed.kind === 'chat' ? { kind: 'usage', problem: WHICH } : parsed;
}

function isOnlyPolite(said: string): boolean {
  return (
    said
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.every((word) => COURTESIES.has(word)) === true
  );
}
