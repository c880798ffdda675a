import { isRecord, type Json, records, string } from './json.ts';

const PAGES_MANY = /<!(?:channel|here|everyone|subteam\^[^>]*)(?:\|[^>]*)?>/g;
const MENTION = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g;

/** A sentence for each mention that notifies many people or names nobody who exists. */
export function pagingFaults(
  text: string,
  blocks: readonly Json[],
  isUser: (id: string) => boolean,
): string[] {
  const faults: string[] = [];
  lookThrough({ type: 'mrkdwn', text }, isUser, faults);
  for (const block of blocks) lookThrough(block, isUser, faults);
  return faults;
}

function lookThrough(value: unknown, isUser: (id: string) => boolean, faults: string[]): void {
  if (Array.isArray(value)) {
    for (const inner of value) lookThrough(inner, isUser, faults);
    return;
  }
  if (!isRecord(value)) return;
  faults.push(...elementFaults(value, isUser));
  for (const inner of Object.values(value)) lookThrough(inner, isUser, faults);
}

function elementFaults(element: Json, isUser: (id: string) => boolean): string[] {
  switch (element.type) {
    case 'mrkdwn':
      return markupFaults(string(element.text), isUser);
    case 'user':
      return isUser(string(element.user_id)) ? [] : [`paged: unknown user ${String(element.user_id)}`];
    default:
      return [];
  }
}

function markupFaults(text: string, isUser: (id: string) => boolean): string[] {
  const many = [...text.matchAll(PAGES_MANY)].map(([found]) => `paged: ${found} in ${JSON.stringify(text)}`);
  const unknown = [...text.matchAll(MENTION)]
    .filter(([, id]) => !isUser(id ?? ''))
    .map(([found]) => `paged: unknown user ${found} in ${JSON.stringify(text)}`);
  return [...many, ...unknown];
}

/** A sentence for each option of a post that makes Slack turn plain words into links and mentions. */
export function autoLinkFaults(args: Json): string[] {
  const faults: string[] = [];
  if (args.parse === 'full') faults.push("paged: parse: 'full' turns names into mentions");
  if ([true, 1, '1', 'true'].some((yes) => yes === args.link_names)) {
    faults.push('paged: link_names turns names into mentions');
  }
  return faults;
}

/** The ids of the people whom a text mentions. */
export function mentionedIn(text: string, blocks: readonly Json[] = []): string[] {
  const inText = [...text.matchAll(MENTION)].map(([, id]) => id ?? '');
  return [...inText, ...records(blocks).flatMap((block) => mentionedIn(JSON.stringify(block)))];
}
