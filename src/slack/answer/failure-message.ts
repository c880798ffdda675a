import { type Message, richText, words } from '../block-kit/blocks.ts';
import type { Operator } from './words/operator.ts';

/** For whoever uses a button or a modal of another version of the bot. */
export const outdated: Message = notice(
  'This button is from another version of Snapshot and doesn’t work any more. Ask for the snapshot again.',
);

/** For a person who waits for an answer that Slack refused. */
export function slackFailedMessage({ contact }: Pick<Operator, 'contact'>): Message {
  return notice(`Slack didn’t accept Snapshot’s answer. Try again. If it keeps happening, tell ${contact}.`);
}

/** A bug in the bot: the person gets the reference under which the log has the rest. */
export function failureMessage(reference: string, { contact }: Pick<Operator, 'contact'>): Message {
  return notice(
    `A bug in Snapshot stopped this. Try again. If it keeps happening, ask ${contact} to look for the reference ` +
      `${reference} in the log.`,
  );
}

function notice(text: string): Message {
  return { text, blocks: [richText([words(text)])] };
}
