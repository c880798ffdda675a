import { isSnapshotId, type SnapshotId } from '../../core/snapshot-id.ts';
import { shorten } from '../limits.ts';

/** One word of a command: as Slack delivered it, in lower case for comparing, and the id that it is or holds. */
export type Token = {
  readonly text: string;
  readonly word: string;
  readonly snapshotId: SnapshotId | undefined;
};

/** A link or a mention as Slack wraps it, `<url|label>`, or a word. */
const TOKENS = /<[^>]*>|[^\s<]+/g;
/** Characters that phones, word processors and copying leave around an id. */
const DECORATION = /^["'`‘’‚“”„«»‹›<([{#*_~,.;:]+|["'`‘’‚“”„«»‹›>)\]}*_~,.;:!?]+$/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const WRAPPED = /^<([^|>]*)(?:\|([^>]*))?>$/;
const LONGEST_ECHO = 60;

/** The words of a command, with whatever spaces, quotes and case; `kept` are words that are no decoration. */
export function tokensOf(text: string, kept: readonly string[]): Token[] {
  const found = text.normalize('NFKC').replace(INVISIBLE, '').match(TOKENS) ?? [];
  return found
    .map((token) =>
      kept.includes(token) || WRAPPED.test(token) ? token : unescaped(token).replace(DECORATION, ''),
    )
    .filter((token) => token !== '')
    .map((token) => ({ text: token, word: token.toLowerCase(), snapshotId: snapshotIdIn(token) }));
}

/** Slack escapes these three in what people type. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function snapshotIdIn(token: string): SnapshotId | undefined {
  const { address, label } = parts(token);
  return [address, label].map(idOf).find((id) => id !== undefined);
}

/** What the person saw of the token when it was typed, in short. */
export function echoOf({ text }: Token): string {
  const { address, label } = parts(text);
  const isMention = address.startsWith('@') || address.startsWith('#');
  const seen = label === '' ? address : isMention ? `${address.charAt(0)}${label}` : label;
  return shorten(seen, LONGEST_ECHO);
}

function parts(token: string): { address: string; label: string } {
  const [, address = token, label = ''] = WRAPPED.exec(token) ?? [];
  return { address: unescaped(address), label: unescaped(label).trim() };
}

const ADDRESSES = ['http:', 'https:', 'tel:'];

function idOf(text: string): SnapshotId | undefined {
  if (isSnapshotId(text)) return text;
  const address = URL.parse(text);
  if (address === null || !ADDRESSES.includes(address.protocol)) return undefined;
  // A query may hold longer numbers that are no ids, a time for example.
  return longestId(`${address.pathname}/${address.hash}`) ?? longestId(address.search);
}

/** A version in a path is decimal too; an id is the longest number there. */
function longestId(path: string): SnapshotId | undefined {
  return path
    .split(/[/#?&=]/)
    .filter(isSnapshotId)
    .reduce<SnapshotId | undefined>(
      (best, id) => (best !== undefined && best.length >= id.length ? best : id),
      undefined,
    );
}
