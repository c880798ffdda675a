import { foldings, type IssueId, idsIn } from './texts.ts';

/**
 * How a text mentions an id: in one of its spellings, or only by its number, which may mean something else. Undefined: not at
 * all.
 */
type Mention = 'named' | 'number';

/** A text as it is searched: folded, also with its escapes of addresses decoded. Takes time linear in its length. */
export function searchedText(text: string) {
  const plain = foldings(text);
  const mentionOf = ({ kind, id, number }: IssueId): Mention | undefined => {
    const holding = plain.filter((each) => each.includes(number));
    if (holding.some((each) => idsIn(each, kind).some((found) => found.id === id))) return 'named';
    const alone = new RegExp(`(?<!\\d)${number}(?!\\d)`);
    return holding.some((each) => alone.test(each)) ? 'number' : undefined;
  };
  return { plain, mentionOf };
}

/** The CVE ids that a text mentions, each once, as `CVE-2026-10001`. */
export function cveIdsIn(text: string): string[] {
  return [...new Set(foldings(text).flatMap((folded) => idsIn(folded, 'cve').map(({ id }) => id)))];
}
