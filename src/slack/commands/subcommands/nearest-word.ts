/** A part of a word counts as the word from here on: `crit`, not `cr`. */
const SHORTEST_PART = 3;
/** In shorter words one other letter makes another word: “log” is no slip of “low”. */
const SHORTEST_FOR_SLIPS = 4;

/**
 * The word of the grammar that a typed word most likely means: it is the beginning of it, or one slip away (two
 * letters exchanged, one too many, one missing or another one). Undefined for every word that stands for itself.
 */
export function nearestWord(typed: string, grammar: readonly string[]): string | undefined {
  return (
    grammar.find((word) => isPart(typed, word)) ??
    grammar.find((word) => isExchanged(typed, word)) ??
    grammar.find((word) => isOneLetterOff(typed, word))
  );
}

function isPart(typed: string, word: string): boolean {
  return typed.length >= SHORTEST_PART && typed.length < word.length && word.startsWith(typed);
}

/** `hgih` for `high`. */
function isExchanged(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false;
  const at = firstDifference(typed, word);
  const exchanged = `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
  return typed === exchanged && typed !== word;
}

/** `mis`, `misss` and `niss` for `miss`. */
function isOneLetterOff(typed: string, word: string): boolean {
  const longer = Math.max(typed.length, word.length);
  if (longer < SHORTEST_FOR_SLIPS || Math.abs(typed.length - word.length) > 1) return false;
  const at = firstDifference(typed, word);
  const skip = (text: string, isLonger: boolean) => text.slice(isLonger ? at + 1 : at);
  if (typed.length === word.length) return typed.slice(at + 1) === word.slice(at + 1);
  return skip(typed, typed.length > word.length) === skip(word, word.length > typed.length);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charAt(at) === other.charAt(at)) at += 1;
  return at;
}
