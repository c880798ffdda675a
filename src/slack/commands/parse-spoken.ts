import { isSnapshotId, type SnapshotId } from '../../core/snapshot-id.ts';
import { oneLine } from '../../core/texts.ts';
import { findIds } from './find-ids.ts';
import { parseCommand } from './parse-command.ts';
import { offersOf } from './subcommands/offers.ts';
import type { ParsedCommand } from './subcommands/subcommand.ts';

/** Words of a sentence, which nobody searches an analysis for. */
const OF_A_SENTENCE = new Set(
  'a i we me my us you your it its is are was were be the this that these those what why how who when where do does did can could would should will'.split(
    ' ',
  ),
);

/**
 * Parses a sentence to the bot: the grammar of the command, except that a sentence that begins with an id is not a
 * search for its words.
 */
export function parseSpoken(text: string): ParsedCommand {
  const parsed = parseCommand(text);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return named(text, parsed);
  if (parsed.kind !== 'lookup' || parsed.search === undefined) return parsed;
  // In a sentence "hit" is a word like others: the answer is about everything.
  const { search, side: _said, ...asked } = parsed;
  return search.some((term) => OF_A_SENTENCE.has(term.toLowerCase())) ? asked : parsed;
}

/** Words that ask for a snapshot. */
const REQUESTS = new Set(
  'check look see show diagnose analyse analyze have run lookup snapshot snapshots qkview qkviews id case'.split(
    ' ',
  ),
);
/** The form of a usual id: other numbers in a sentence may be anything. */
const USUAL_ID = /^\d{7,9}$/;
/** A number of another length counts where the sentence calls it a snapshot, or asks for nothing else. */
const NAMED_ID =
  /\b(?:snapshots?|qkviews?|ids?|check|diagnose|analy[sz]e|show|look up|look at) (?:me )?(\d{4,20})(?![\w.:/-])/gi;
/** A number that the sentence calls something else. */
const NAMED_OTHERWISE = /\b(?:case|ticket|incident|order|serial|sr) (?:number |no |id )?(\d{4,20})/gi;
/** What stands between a word and the number that it names, in any writing: `Snapshot ID: 26808463`. */
const COLONS = /(?<!\d)[:#=]/g;
const WORDS = /[\p{L}\p{N}]+/gu;
const WHICH = 'Which of these snapshots?';

/** Whether somebody speaks to the bot rather than types a command. */
export function isSentence(text: string): boolean {
  const said = text.toLowerCase().match(WORDS) ?? [];
  return said.some((word) => OF_A_SENTENCE.has(word) || REQUESTS.has(word));
}

/**
 * What a sentence asks for: the one snapshot that it names (`can you check 26808463 please`), or a choice of several.
 * No other number of a sentence is taken for an id.
 */
function named(text: string, parsed: Extract<ParsedCommand, { kind: 'usage' }>): ParsedCommand {
  if (!isSentence(text)) return parsed;
  const others = numbersCalled(text, NAMED_OTHERWISE);
  const usual = findIds({ text }).filter((id) => USUAL_ID.test(id));
  const plausible = usual.filter((id) => !others.includes(id));
  const called = numbersCalled(text, NAMED_ID).filter((id) => !others.includes(id));
  const ids = [plausible, called, usual].find((found) => found.length > 0) ?? [];
  const [snapshotId, ...more] = ids;
  if (snapshotId === undefined) return { kind: 'usage', problem: parsed.problem ?? WHICH };
  if (more.length === 0) return { kind: 'lookup', question: { snapshotId, set: 'all' } };
  return { kind: 'usage', problem: WHICH, offers: offersOf(ids) };
}

/** The numbers behind words of a kind, each once. */
function numbersCalled(text: string, so: RegExp): SnapshotId[] {
  return [...new Set([...oneLine(text.replace(COLONS, ' ')).matchAll(so)].map(([, id = '']) => id))].filter(
    isSnapshotId,
  );
}
