import type { Json } from '../wire.ts';
import { object, string } from './json.ts';

const LINK = /<(https?:[^|>]+)(?:\|([^>]*))?>/g;
const COLON_LOOKALIKE = '\u2236';

/**
 * Blocks such that `slack-blocks-to-jsx` shows what Slack would show. It reads markup and emoji in plain text too,
 * takes two colons in a link's label for an emoji, and shows verbatim text without any markup, where Slack leaves out
 * the automatic links only.
 */
export function forLibrary(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => object(rewritten(plainSection(block))));
}

/** In rich text nothing is markup. */
function plainSection(block: Json): Json {
  const text = object(block.text);
  if (block.type !== 'section' || text.type !== 'plain_text' || block.fields !== undefined) return block;
  const words = { type: 'text', text: string(text.text) };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [words] }] };
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== 'object' || value === null) return value;
  const { verbatim: _misread, ...fields } = object(value);
  if (fields.type === 'mrkdwn') return { ...fields, text: withPlainLabels(string(fields.text)) };
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, rewritten(inner)]));
}

function withPlainLabels(mrkdwn: string): string {
  return mrkdwn.replace(
    LINK,
    (_link, url: string, label = url) => `<${url}|${label.replaceAll(':', COLON_LOOKALIKE)}>`,
  );
}
