import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSafePattern } from 'redos-detector';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/**
 * The number of ways in which a pattern may match a text before the pattern counts as slow. If the number grows with
 * the text, it exceeds any limit.
 */
const MOST_WAYS = 200;
/** Far more time than the check of a pattern takes, also on a busy machine. */
const TIMEOUT_MS = 60_000;

/** A regular expression of the source. A letter stands for each inserted value of a template. */
type Pattern = { readonly source: string; readonly flags: string };

type Node = { readonly type?: string } & Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  // The only tag that the source uses is `String.raw`.
  if (node.type === 'TaggedTemplateExpression') return rawOf(node.quasi);
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined;
  return node.quasis.map(({ value }) => value.cooked).join('x');
}

function rawOf(template: unknown): string | undefined {
  if (!isNode(template) || !Array.isArray(template.quasis)) return undefined;
  return template.quasis.map(({ value }) => value.raw).join('x');
}

/** The patterns of a file. Throws for a pattern whose parts this check can't see. */
function patternsOf(file: string): Pattern[] {
  const { program } = parseSync(file, readFileSync(join(SOURCE, file), 'utf8'));
  const found: Pattern[] = [];
  for (const { type, regex, callee, arguments: given } of nodesOf(program)) {
    if (type === 'Literal' && isNode(regex)) {
      found.push({ source: String(regex.pattern), flags: String(regex.flags) });
    }
    if (type !== 'NewExpression' && type !== 'CallExpression') continue;
    if (!isNode(callee) || callee.name !== 'RegExp' || !Array.isArray(given)) continue;
    const source = textOf(given[0]);
    if (source === undefined) throw new Error(`src/${file}: give RegExp a literal or a template`);
    found.push({ source, flags: textOf(given[1]) ?? '' });
  }
  return found;
}

/** The first element of a pattern: a character or a class. */
const FIRST = /^(?:\[([^\]^\\-]+)\]|([^\\[(.^$]))/;
const UNBOUNDED = /(?:\[\^[^\]]*\]|.)(?:[*+]|\{\d+,\})/g;

/**
 * Whether every unbounded repetition stops at the characters that begin a match, as in `<[^<>]*>`. Then no two attempts
 * read the same text. `isSafePattern` misses that: it assumes that a search can begin inside a repetition.
 */
function stopsWhereItBegins({ source }: Pattern): boolean {
  const [, some, one] = FIRST.exec(source) ?? [];
  const first = some ?? one ?? '';
  const runs = source.match(UNBOUNDED) ?? [];
  const stops = (run: string) =>
    run.startsWith('[^') && [...first].every((character) => run.includes(character));
  return first !== '' && runs.every(stops);
}

/** Checks each alternative alone, because `isSafePattern` can take a minute for a large pattern on a busy machine. */
function isFast(pattern: Pattern): boolean {
  const [one, ...others] = alternativesOf(pattern.source).map((source) => ({ ...pattern, source }));
  if (one !== undefined && others.length > 0) return [one, ...others].every(isFast);
  const anchored = { ...pattern, source: `^(?:${pattern.source})` };
  return (stopsWhereItBegins(pattern) && hasFewWays(anchored)) || hasFewWays(pattern);
}

/** The alternatives of a pattern, split at each `|` that is in no group and no class. */
function alternativesOf(source: string): string[] {
  const found = [''];
  let depth = 0;
  for (const [part] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === '|' && depth === 0) found.push('');
    else found.push(`${found.pop() ?? ''}${part}`);
  }
  return found;
}

function hasFewWays({ source, flags }: Pattern): boolean {
  const { safe } = isSafePattern(source, {
    maxScore: MOST_WAYS,
    timeout: TIMEOUT_MS,
    caseInsensitive: flags.includes('i'),
    dotAll: flags.includes('s'),
    multiLine: flags.includes('m'),
    unicode: flags.includes('u'),
  });
  return safe;
}

/** A line for each pattern in `src` that can take more than linear time. */
function slowPatterns(): string[] {
  return globSync('**/*.ts', { cwd: SOURCE })
    .sort()
    .flatMap((file) =>
      patternsOf(file)
        .filter((pattern) => !isFast(pattern))
        .map(({ source, flags }) => `src/${file}: /${source}/${flags} can take more than linear time`),
    );
}

const TESTS = join(import.meta.dirname, '..');
const LONGEST_NAME = 110;

/** The names of the tests in a file: the first arguments of `test`, `test.for(…)` and similar calls. */
function* testNamesOf(file: string): Generator<string> {
  const { program } = parseSync(file, readFileSync(join(TESTS, file), 'utf8'));
  for (const { type, arguments: given } of nodesOf(program)) {
    if (type !== 'CallExpression' || !Array.isArray(given)) continue;
    const [name, work] = [textOf(given[0]), given.at(-1)];
    if (given.length > 1 && name !== undefined && isNode(work) && isFunction(work)) yield name;
  }
}

const isFunction = ({ type }: Node) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

/** Every test name that is not one plain sentence: too long, dependent on an earlier name, or only a number. */
function unclearNames(): string[] {
  return globSync('**/*.test.ts', { cwd: TESTS })
    .sort()
    .flatMap((file) =>
      [...testNamesOf(file)]
        .filter((name) => name.length > LONGEST_NAME || /^(?:It|They|This)\b|%#/.test(name))
        .map((name) => `test/${file}: the name “${name}” is not one plain sentence`),
    );
}

const problems = [...slowPatterns(), ...unclearNames()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
