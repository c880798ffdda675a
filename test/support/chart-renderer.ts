import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/** What a template can see: `.` and the variables that a range has set. */
type Scope = { readonly dot: unknown; readonly variables: Readonly<Record<string, unknown>> };
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly expression: string }
  | { readonly kind: 'block'; readonly head: string; readonly body: Node[]; readonly otherwise: Node[] };
type Definitions = Map<string, Node[]>;

const ACTION = /(\s*)\{\{(-?)\s*(.*?)\s*(-?)\}\}(\s*)/gs;
const WORD = /"[^"]*"|\S+/g;
const RANGE = /^range (?:(\$\w+), (\$\w+) := )?(\S+)$/;

/**
 * Renders the templates of a Helm chart: the part of Go's template language that this chart uses, and no more.
 * Anything else throws, so that no template renders otherwise than with Helm. It replaces `helm template` where Helm
 * is not installed.
 */
export function renderChart(
  templates: Readonly<Record<string, string>>,
  dot: unknown,
): Record<string, string> {
  const definitions: Definitions = new Map();
  const parsed = Object.entries(templates).map(([name, text]) => [name, parse(text)] as const);
  for (const [, nodes] of parsed) collect(nodes, definitions);
  return Object.fromEntries(
    parsed.map(([name, nodes]) => [name, render(nodes, { dot, variables: {} }, definitions)]),
  );
}

type Open = { readonly node: Extract<Node, { kind: 'block' }>; target: Node[] };

function parse(template: string): Node[] {
  const root: Node[] = [];
  const open: Open[] = [];
  const put = (node: Node) => (open.at(-1)?.target ?? root).push(node);
  let end = 0;
  for (const match of template.matchAll(ACTION)) {
    const [whole, before = '', trimLeft, action = '', trimRight, after = ''] = match;
    put({ kind: 'text', text: template.slice(end, match.index) + (trimLeft ? '' : before) });
    end = match.index + whole.length;
    act(action, open, put);
    put({ kind: 'text', text: trimRight ? '' : after });
  }
  if (open.length > 0) throw new Error('a block is not closed');
  put({ kind: 'text', text: template.slice(end) });
  return root;
}

function act(action: string, open: Open[], put: (node: Node) => void): void {
  const inner = open.at(-1);
  if (/^(?:if|with|range|define) /.test(action)) {
    const node = { kind: 'block' as const, head: action, body: [], otherwise: [] };
    put(node);
    open.push({ node, target: node.body });
  } else if (action === 'else' && inner) inner.target = inner.node.otherwise;
  else if (action === 'end') open.pop();
  else put({ kind: 'output', expression: action });
}

function collect(nodes: readonly Node[], definitions: Definitions): void {
  for (const node of nodes) {
    const name = node.kind === 'block' ? /^define "(.+)"$/.exec(node.head)?.[1] : undefined;
    if (name !== undefined && node.kind === 'block') definitions.set(name, node.body);
  }
}

function render(nodes: readonly Node[], scope: Scope, definitions: Definitions): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'output') return String(evaluate(node.expression, scope, definitions));
      return renderBlock(node, scope, definitions);
    })
    .join('');
}

function renderBlock(node: Extract<Node, { kind: 'block' }>, scope: Scope, definitions: Definitions): string {
  const { head, body, otherwise } = node;
  if (head.startsWith('define ')) return '';
  if (head.startsWith('range ')) return renderRange(node, scope, definitions);
  const value = evaluate(head.slice(head.indexOf(' ') + 1), scope, definitions);
  if (!isTruthy(value)) return render(otherwise, scope, definitions);
  return render(body, head.startsWith('with ') ? { ...scope, dot: value } : scope, definitions);
}

function renderRange(
  { head, body }: Extract<Node, { kind: 'block' }>,
  scope: Scope,
  definitions: Definitions,
): string {
  const [, key = '', name = '', path = ''] = RANGE.exec(head) ?? [];
  if (path === '') throw new Error(`not known: ${head}`);
  const entries = Object.entries(evaluate(path, scope, definitions) as object);
  const sorted = key === '' ? entries : entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted
    .map(([index, value]) => {
      const variables = { ...scope.variables, ...(key === '' ? {} : { [key]: index, [name]: value }) };
      return render(body, { dot: value, variables }, definitions);
    })
    .join('');
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A pipeline: what one part gives is the last argument of the next one. */
function evaluate(pipeline: string, scope: Scope, definitions: Definitions): unknown {
  return pipeline.split(/ \| /).reduce<unknown>((given, part, index) => {
    const [first = '', ...rest] = part.match(WORD) ?? [];
    const args = rest.map((word) => valueAt(word, scope));
    const known = functions(definitions)[first];
    if (known === undefined && (rest.length > 0 || index > 0)) throw new Error(`not known: ${part}`);
    return known === undefined ? valueAt(first, scope) : known(...args, ...(index > 0 ? [given] : []));
  }, undefined);
}

function functions(definitions: Definitions): Record<string, ((...args: unknown[]) => unknown) | undefined> {
  return {
    include: (name, dot) => {
      const found = definitions.get(String(name));
      if (found === undefined) throw new Error(`no template ${String(name)}`);
      return render(found, { dot, variables: {} }, definitions);
    },
    nindent: (count, text) => `\n${String(text).replace(/^(?!$)/gm, ' '.repeat(Number(count)))}`,
    toYaml: (value) => stringify(value).trimEnd(),
    toJson: (value) => JSON.stringify(value),
    quote: (value) => JSON.stringify(String(value)),
    sha256sum: (value) => createHash('sha256').update(String(value)).digest('hex'),
    not: (value) => !isTruthy(value),
  };
}

function valueAt(word: string, { dot, variables }: Scope): unknown {
  if (word.startsWith('"')) return word.slice(1, -1);
  if (/^\d+$/.test(word)) return Number(word);
  if (word.startsWith('$')) return variables[word];
  if (!word.startsWith('.')) throw new Error(`not known: ${word}`);
  return word
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => {
      if (typeof value !== 'object' || value === null || !(name in value))
        throw new Error(`no value ${word}`);
      return (value as Record<string, unknown>)[name];
    }, dot);
}
