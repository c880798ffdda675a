import type { types } from '@slack/bolt';
import { isDirect } from '../../core/destination.ts';
import { readState } from '../block-kit/action-values.ts';
import { button, type Message, slackTime, smallPrint } from '../block-kit/blocks.ts';
import { count } from './wording.ts';

/** Says, or takes back, that somebody works on what a result shows. */
export const ON_IT_ACTION = 'on-it';

/** Somebody who is on it; `since` is epoch milliseconds. */
export type Owner = { readonly user: string; readonly since: number };

const MOST_NAMED = 5;
/** How the id of the line begins. */
const LINE = 'owners-';

/**
 * A result with who is on it, in a line above its controls, and with the button that says so; both replace what the
 * message had of them. In a direct message there is nobody to tell.
 */
export function withOwners(message: Message, channel: string, owners: readonly Owner[] = []): Message {
  if (isDirect(channel)) return message;
  const controls = message.blocks.at(-1);
  if (controls?.type !== 'actions') return message;
  const rest = message.blocks.slice(0, -1).filter(({ block_id: id }) => id?.startsWith(LINE) !== true);
  // Like the id of the controls, it is another one each time that the message is drawn.
  const id = `${LINE}${readState(controls.block_id).turn}`;
  const line = owners.length === 0 ? [] : [{ ...smallPrint(ownersLine(owners)), block_id: id }];
  const others = controls.elements.filter((each) => !isOnIt(each));
  const onIt = button("I'm on it", ON_IT_ACTION, undefined, 'Say that you are on it, or take it back');
  const elements: types.ActionsBlockElement[] = [...others.slice(0, -1), onIt, ...others.slice(-1)];
  return { ...message, blocks: [...rest, ...line, { ...controls, elements }] };
}

/** The same message without the button, for one person alone: nobody else would see the line. */
export function withoutOnIt(message: Message): Message {
  const blocks = message.blocks.map((block) =>
    block.type === 'actions' ? { ...block, elements: block.elements.filter((each) => !isOnIt(each)) } : block,
  );
  return { ...message, blocks };
}

function isOnIt(element: types.ActionsBlockElement): boolean {
  return 'action_id' in element && element.action_id === ON_IT_ACTION;
}

function ownersLine(owners: readonly Owner[]): string {
  const named = owners
    .slice(0, MOST_NAMED)
    .map(({ user, since }, index) =>
      index === 0
        ? `<@${user}> is on it, since ${slackTime(since)}`
        : `<@${user}> too, since ${slackTime(since)}`,
    );
  const more = owners.length > MOST_NAMED ? [`and ${count(owners.length - MOST_NAMED)} more`] : [];
  return [...named, ...more].join(' · ');
}
