import type { Fault } from '../core/faults.ts';
import { faultSentence } from '../slack/answer/fault-sentences.ts';
import { DEFAULT_CONTACT } from '../slack/answer/operator.ts';
import type { Message } from '../slack/block-kit/blocks.ts';

const WRAPPED = /<[^<>|]{0,3000}\|([^<>]{0,3000})>/g;
const BARE = /<([^<>]{1,3000})>/g;

/** Slack's markup as plain text: links and times by their labels. */
export function plainText(mrkdwn: string): string {
  return mrkdwn
    .replace(WRAPPED, '$1')
    .replace(BARE, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const ASK_FIRST = new RegExp(`^Ask ${DEFAULT_CONTACT} to (.)`);
const ASK_LATER = `ask ${DEFAULT_CONTACT} to `;

/** A fault as plain text for the operator, the one whom everybody else is told to ask. */
export function explainFault(fault: Fault, loginUrl: string): { what: string; repair: string } {
  const operator = { contact: DEFAULT_CONTACT, loginUrl };
  const { what, next } = faultSentence(fault, { snapshotId: undefined, operator });
  const step = plainText(next).replace(ASK_FIRST, (_, first: string) => first.toUpperCase());
  return { what: plainText(what), repair: step.replaceAll(ASK_LATER, '') };
}

/** The words of a message's blocks, a line for each block. */
export function messageLines({ blocks }: Message): string[] {
  return blocks.map((block) => plainText(textsIn(block).join(' ').trim())).filter((line) => line !== '');
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'text' && typeof inner === 'string') return [inner];
    return name === 'confirm' || name === 'options' ? [] : textsIn(inner);
  });
}
