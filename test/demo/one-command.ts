import { ask, CommandFailed } from './asking.ts';
import type { DemoWorld } from './demo-world.ts';
import { asText, meaningOf } from './reading.ts';

/** Where the answer and the progress are printed. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/**
 * Types a command and prints its final answer. True for a result, false for a fault, a timeout or the usage message.
 */
export async function runCommand(
  { slack }: DemoWorld,
  command: string,
  { out, err }: Output,
): Promise<boolean> {
  try {
    const answer = await ask(slack, { command, channel: 'support', user: 'ana' }, (message) => {
      if (meaningOf(message) === 'waiting') err(message.text);
    });
    out(asText(answer));
    return meaningOf(answer) === 'result';
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    err(`${command} failed: ${error.message}`);
    return false;
  }
}
