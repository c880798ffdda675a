import { isSnapshotId, type SnapshotId } from '../../core/snapshot-id.ts';
import { parseCommand } from './parse-command.ts';

/** A text of a message that may name snapshots. In file names, words and numbers are joined. */
type Passage = { readonly text: string; readonly isFileName: boolean };

const LINK = /https?:\/\/[^\s<>|"]+/g;
/** Slack's markup of people and channels: its ids are not snapshots. */
const MARKUP = /<[@#!][^<>]*>/g;
/** A number that is not a part of a word, a date, a time, a version or an amount. */
const NUMBER = /(?<![\p{L}\p{N}_.,:/#+-])\d+(?![\p{L}\p{N}_/+-]|[.,:]\d)/gu;
const NUMBER_IN_NAME = /\d+/g;
/** The usual length of an id: seven digits in 2014, eight today. */
const USUAL = /^\d{7,9}$/;
/** The length of an id if no usual one is found; years and ports are shorter. */
const POSSIBLE = /^\d{4,20}$/;
/** The most ids to choose from. */
const MOST = 20;
const TEXT_KEYS = ['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link', 'from_url', 'name'];

/**
 * The snapshots that a message names, in its text, blocks, attachments and the names of its files: those of links
 * first, then numbers that look like ids. Numbers of another length count only when there is nothing better.
 */
export function findIds(message: unknown): SnapshotId[] {
  const passages = [...passagesOf(message)];
  const linked = passages.flatMap(({ text }) => (text.match(LINK) ?? []).flatMap(idOfLink));
  const numbers = passages.flatMap(numbersOf);
  const usual = [...linked, ...numbers.filter((number) => USUAL.test(number))];
  const found = usual.length > 0 ? usual : numbers.filter((number) => POSSIBLE.test(number));
  return [...new Set(found.filter(isSnapshotId))].slice(0, MOST);
}

function numbersOf({ text, isFileName }: Passage): string[] {
  const plain = text.replace(LINK, ' ').replace(MARKUP, ' ');
  return plain.match(isFileName ? NUMBER_IN_NAME : NUMBER) ?? [];
}

/** The id in the path of a link, if it is long enough for one. */
function idOfLink(link: string): string[] {
  const parsed = parseCommand(`<${link}>`);
  return parsed.kind === 'lookup' && POSSIBLE.test(parsed.question.snapshotId)
    ? [parsed.question.snapshotId]
    : [];
}

function* passagesOf(value: unknown, key = '', isInFile = false): Generator<Passage> {
  if (typeof value === 'string') {
    if (TEXT_KEYS.includes(key)) yield { text: value, isFileName: isInFile };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) yield* passagesOf(each, key, isInFile);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    // Of a file only its name and title count: its other fields are Slack's.
    if (isInFile && name !== 'name' && name !== 'title') continue;
    yield* passagesOf(inner, name, isInFile || name === 'files');
  }
}
