import { findIds } from './find-ids.ts';
import { type ParsedCommand, parseCommand } from './parse-command.ts';

/** Who uses these speaks to the bot in a sentence; nobody looks for them in an analysis. */
const OF_A_SENTENCE = new Set(
  'a i we me my us you your it its is are was were be the this that these those what why how who when where do does did can could would should will'.split(
    ' ',
  ),
);

/**
 * Reads what somebody says to the bot, where a command is written among sentences: the grammar of the command, but a
 * sentence that begins with an id is no search for its words.
 */
export function parseSpoken(text: string): ParsedCommand {
  const parsed = parseCommand(text);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return onlyIdIn(text) ?? parsed;
  if (parsed.kind !== 'lookup' || parsed.search === undefined) return parsed;
  const { search, ...asked } = parsed;
  return search.some((term) => OF_A_SENTENCE.has(term.toLowerCase())) ? asked : parsed;
}

/** What people ask for a snapshot with, before they name it. */
const REQUESTS = new Set(['check', 'look', 'see', 'show', 'diagnose', 'analyse', 'analyze', 'have', 'run']);
/** As ids are today, and were years ago: any other number of a sentence may be anything. */
const USUAL_ID = /^\d{7,9}$/;
const SPACES = /\s+/;

/** The lookup that a sentence asks for which names exactly one snapshot: `can you check 26808463 please`. */
function onlyIdIn(text: string): ParsedCommand | undefined {
  const said = text.toLowerCase().split(SPACES);
  if (!said.some((word) => OF_A_SENTENCE.has(word) || REQUESTS.has(word))) return undefined;
  const [snapshotId, ...others] = findIds({ text });
  if (snapshotId === undefined || others.length > 0 || !USUAL_ID.test(snapshotId)) return undefined;
  return { kind: 'lookup', question: { snapshotId, set: 'all' } };
}
