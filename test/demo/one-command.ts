import { ask, CommandFailed } from './asking.ts';
import type { DemoWorld } from './demo-world.ts';
import { asText, meaningOf } from './reading.ts';

/** Where one command's answer goes. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Types one command and writes its final answer. True for a result, false for a fault, a time-out or the usage. */
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
